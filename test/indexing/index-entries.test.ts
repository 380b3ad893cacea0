import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { recordDecision } from '../../src/decisions/record.ts'
import { indexWorkspace } from '../../src/indexing/index-entries.ts'
import { maintainIndexes } from '../../src/indexing/maintain-indexes.ts'
import { newRebuild, rebuilds } from '../../src/indexing/rebuilds.ts'
import { checkpointOf, checkpoints } from '../../src/journal/checkpoint.ts'
import { drain } from '../../src/journal/drain.ts'
import type { JournalPorts } from '../../src/journal/ports.ts'
import { remember } from '../../src/memories/remember.ts'
import type { Documents } from '../../src/ports/documents.ts'
import { EngineUnavailable } from '../../src/ports/unavailable.ts'
import { receipts } from '../../src/receipt.ts'
import { records } from '../../src/records/record.ts'
import { searchDocumentOf } from '../../src/records/search-document.ts'
import { apply, promise, rows, type World, workspace, world } from '../support/apply.ts'
import { freezing, gate, never } from '../support/rebuilds.ts'
import { equal } from '../support/search-query.ts'

const interactive = { workspace, lane: 'interactive' as const }
const decision = (title: string, more: object = {}) => ({ title, judgment: `${title}, we decide.`, ...more })

describe('the index worker', () => {
  let on: World
  let ports: JournalPorts
  beforeEach(async () => {
    on = await world()
    ports = on.portsOf(on)
  })
  afterEach(() => on.close())

  const index = (by = ports) => indexWorkspace(by, interactive)
  const checkpoint = () => checkpointOf(on.documents, workspace)
  const stateOf = async (id: string) => (await on.documents.get(receipts, id, ['state']))?.state
  /** Decided, but not indexed. */
  async function write(content: string): Promise<string> {
    const { id } = await promise(on, remember, { kind: 'fact', content })
    await drain(ports, interactive)
    return id
  }
  const withDocuments = (more: Partial<Documents>): JournalPorts => ({
    ...ports,
    documents: { ...on.documents, ...more },
  })
  const frozenAt = (at: 'upsert' | 'advance') => {
    const { search, ...frozen } = freezing(on.search, at)
    return { ports: { ...ports, search }, ...frozen }
  }
  /** A rebuild whose worker is suspended before it advances the new index, until `finish`. */
  async function suspendedRebuild() {
    const rebuild = newRebuild(on.clock, workspace, null)
    await on.documents.insert(rebuilds, rebuild)
    const frozen = frozenAt('advance')
    const rebuilt = maintainIndexes(frozen.ports, never)
    await frozen.reached
    return {
      rebuild,
      finish() {
        frozen.thaw()
        return rebuilt
      },
    }
  }

  /** Each row has its document, of the row's last change. */
  async function equalsRecords(): Promise<void> {
    const { live } = await checkpoint()
    for (const row of await rows(on)) {
      const terms = [...new Set((await searchDocumentOf(row)).tokens)].slice(0, 64)
      const { items } = await on.search.candidates(live, { workspace, audiences: [row.audience] }, equal(terms), 200)
      expect(items.find(({ id }) => id === row.id)).toMatchObject({ version: row.seq, valid_to: row.valid_to })
    }
  }

  it('indexes each record as its last change left it, in one step and in several', async () => {
    const before = await apply(on, recordDecision, decision('Before'))
    await promise(on, recordDecision, decision('Old', { external_id: 'old' }))
    await drain(ports, interactive)
    await promise(on, recordDecision, decision('New', { supersedes: ['old', before.entity?.id] }))
    await drain(ports, interactive)
    await index()
    expect((await rows(on)).filter(({ valid_to }) => valid_to !== null)).toHaveLength(2)
    await equalsRecords()
  })

  it('takes no entry beyond checkpoint.projected', async () => {
    await write('Projected.')
    await promise(on, remember, { kind: 'fact', content: 'Appended only.' })
    const dying = withDocuments({ inOrder: () => Promise.reject(new EngineUnavailable('test', 'died')) })
    await expect(drain(dying, interactive)).rejects.toThrow('died')
    await index()
    expect(await checkpoint()).toMatchObject({ projected: 1, indexed: 1 })
    expect(await on.search.count((await checkpoint()).live, workspace)).toBe(1)
  })

  it('sets a receipt to applied only after the checkpoint, and only if the index has its entry', async () => {
    const first = await write('First.')
    const open = await promise(on, remember, { kind: 'fact', content: 'Not decided.' })
    const dying = withDocuments({
      update: (collection, id, change, condition) =>
        collection.name === checkpoints.name
          ? Promise.reject(new EngineUnavailable('test', 'died'))
          : on.documents.update(collection, id, change, condition),
    })
    await expect(index(dying)).rejects.toThrow('died')
    expect(await stateOf(first)).toBe('processing')
    const told: string[] = []
    await index({ ...ports, ended: (ids) => void told.push(...ids) })
    expect(await stateOf(first)).toBe('applied')
    expect(await stateOf(open.id)).toBe('accepted')
    expect(told).toEqual([first])
  })

  it('sets receipts to applied even if the worker that advanced the checkpoint died', async () => {
    const id = await write('First.')
    const dying = withDocuments({ updateMany: () => Promise.reject(new EngineUnavailable('test', 'died')) })
    await expect(index(dying)).rejects.toThrow('died')
    expect(await checkpoint()).toMatchObject({ indexed: 1 })
    expect(await stateOf(id)).toBe('processing')
    await index()
    expect(await stateOf(id)).toBe('applied')
  })

  it('never sets the checkpoint back after it was suspended', async () => {
    await write('First.')
    const slow = frozenAt('upsert')
    const indexing = index(slow.ports)
    await slow.reached
    await write('Second.')
    await index()
    expect(await checkpoint()).toMatchObject({ indexed: 2, indexed_seq: 2 })
    let lowest = 2
    const watching = on.documents.get
    on.documents.get = (async (...asked: Parameters<typeof watching>) => {
      const found = await watching(...asked)
      if (asked[0].name === checkpoints.name) lowest = Math.min(lowest, (found as { indexed?: number })?.indexed ?? 2)
      return found
    }) as typeof watching
    slow.thaw()
    await indexing
    expect(lowest).toBe(2)
    expect(await checkpoint()).toMatchObject({ indexed: 2, indexed_seq: 2 })
  })

  it('advances the checkpoint only of the index that it wrote to', async () => {
    await write('First.')
    await index()
    const { rebuild, finish } = await suspendedRebuild()
    const second = await write('Second.')
    const slow = frozenAt('advance')
    const indexing = index(slow.ports)
    await slow.reached
    await finish()
    expect(await checkpoint()).toMatchObject({ live: rebuild.id, indexed: 1 })
    slow.thaw()
    await indexing
    expect(await stateOf(second)).toBe('applied')
    expect(await on.search.count(rebuild.id, workspace)).toBe(2)
  })

  it('applies nothing for an entry that only a replaced index shows', async () => {
    await write('First.')
    await index()
    const { finish } = await suspendedRebuild()
    await write('Second.')
    const freeze = gate()
    const shown: number[] = []
    const slow = withDocuments({
      update: async (collection, ...rest) => {
        if (collection.name === checkpoints.name) await freeze.stop()
        return on.documents.update(collection, ...rest)
      },
      updateMany: async (collection, ...rest) => {
        shown.push(await on.search.count((await checkpoint()).live, workspace))
        return on.documents.updateMany(collection, ...rest)
      },
    })
    const indexing = index(slow)
    await freeze.reached
    await finish()
    freeze.open()
    await indexing
    expect(shown).toEqual([2])
  })

  it('never applies a receipt twice', async () => {
    const id = await write('First.')
    let first: unknown
    const late = withDocuments({
      updateMany: async (collection, ...rest) => {
        if (first === undefined) {
          await index()
          first = await on.documents.get(receipts, id)
        }
        return on.documents.updateMany(collection, ...rest)
      },
    })
    await index(late)
    expect(first).toMatchObject({ state: 'applied' })
    expect(await on.documents.get(receipts, id)).toEqual(first)
  })

  it('is never replaced by a rebuild that holds less than the index of before', async () => {
    await write('First.')
    await index()
    const { rebuild, finish } = await suspendedRebuild()
    const second = await write('Second.')
    await index()
    expect(await stateOf(second)).toBe('applied')
    await finish()
    expect(await checkpoint()).toMatchObject({ live: rebuild.id, indexed: 2, indexed_seq: 2 })
    expect(await on.search.count(rebuild.id, workspace)).toBe(2)
  })

  it('is rebuilt with every row of an entry whose projection it met half-way', async () => {
    await write('First.')
    await index()
    await promise(on, remember, { kind: 'fact', content: 'Second.' })
    await promise(on, remember, { kind: 'fact', content: 'Third.' })
    // the projection has written the third row only, and is suspended
    const freeze = gate()
    const half = withDocuments({
      inOrder: async (ask) => {
        await on.documents.inOrder((writes) =>
          ask({
            insertMany: (collection, all) => {
              if (collection.name === records.name) writes.insertMany(collection, all.slice(1))
            },
            update: () => {},
            updateEach: () => {},
            upsertIfNewer: () => {},
          }),
        )
        await freeze.stop()
        await on.documents.inOrder(ask)
      },
    })
    const projecting = drain(half, interactive)
    await freeze.reached
    const { rebuild, finish } = await suspendedRebuild()
    freeze.open()
    await projecting
    await index()
    await finish()
    expect(await checkpoint()).toMatchObject({ live: rebuild.id, indexed: 2, indexed_seq: 3 })
    await equalsRecords()
  })
})
