import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { WorkspaceId } from '../../src/ids.ts'
import { indexWorkspace } from '../../src/indexing/index-entries.ts'
import { outdatedIndexes, troubleWith } from '../../src/indexing/lost-indexes.ts'
import { maintainIndexes, rebuildOutdated } from '../../src/indexing/maintain-indexes.ts'
import { isShared, newRebuild, nextShared, rebuilds } from '../../src/indexing/rebuilds.ts'
import { checkpointOf, firstIndex } from '../../src/journal/checkpoint.ts'
import { drain } from '../../src/journal/drain.ts'
import type { JournalPorts } from '../../src/journal/ports.ts'
import { remember } from '../../src/memories/remember.ts'
import type { Documents } from '../../src/ports/documents.ts'
import type { Watermark } from '../../src/ports/search.ts'
import { receipts } from '../../src/receipt.ts'
import { allOf } from '../support/all-of.ts'
import { actorAda, promise, type World, world } from '../support/apply.ts'
import { freezing, gate, never, pass, rebuildsOf, rebuiltAlone } from '../support/rebuilds.ts'

const [ours, theirs, others] = ['aa', 'bb', 'cc'].map((end) => `00000000-0000-7000-8000-0000000000${end}`) as [
  WorkspaceId,
  WorkspaceId,
  WorkspaceId,
]

const isLost = async (...given: Parameters<typeof troubleWith>) => (await troubleWith(...given)) === 'lost'

describe('a lost search index', () => {
  let on: World
  let ports: JournalPorts
  beforeEach(async () => {
    on = await world()
    ports = on.portsOf(on)
  })
  afterEach(() => on.close())

  const live = async (workspace: WorkspaceId) => (await checkpointOf(on.documents, workspace)).live
  const index = (workspace: WorkspaceId, by = ports) => indexWorkspace(by, { workspace, lane: 'interactive' })
  /** Decided, but not indexed. */
  async function write(workspace: WorkspaceId, content: string): Promise<string> {
    const { id } = await promise(on, remember, { kind: 'fact', content }, { ...actorAda, workspace })
    await drain(ports, { workspace, lane: 'interactive' })
    return id
  }
  async function shown(workspace: WorkspaceId, content: string): Promise<void> {
    await write(workspace, content)
    await index(workspace)
  }
  const found = async (workspace: WorkspaceId) => on.search.count(await live(workspace), workspace)
  async function lost(): Promise<string[]> {
    const all: string[] = []
    for await (const { id } of outdatedIndexes(on, 'epoch')) all.push(id)
    return all
  }
  /** Ports of a worker that is suspended before it stores documents. */
  function frozenAtUpsert() {
    const { search, ...frozen } = freezing(on.search, 'upsert')
    return { ports: { ...ports, search }, ...frozen }
  }

  it('is rebuilt as a shared index if it was shared', async () => {
    for (const workspace of [ours, theirs, others]) await shown(workspace, 'Zebras graze.')
    await on.search.drop(firstIndex)
    await shown(theirs, 'Lions hunt.')
    await rebuildOutdated(ports, never)
    const name = await live(ours)
    // never a name from before a restore: the engine may still have that index
    expect(name).toContain(await ports.epoch())
    expect(isShared(name)).toBe(true)
    expect([await live(theirs), await live(others)]).toEqual([name, name])
    expect([await found(ours), await found(theirs), await found(others)]).toEqual([1, 2, 1])
    // and once more
    await on.search.drop(name)
    await rebuildOutdated(ports, never)
    const next = await live(ours)
    expect([firstIndex, name]).not.toContain(next)
    expect([await live(theirs), await live(others)]).toEqual([next, next])
    expect([await found(ours), await found(theirs), await found(others)]).toEqual([1, 2, 1])
    expect(await lost()).toEqual([])
  })

  it('keeps the first index for new workspaces, and drops what older versions have left of it', async () => {
    await shown(ours, 'Zebras graze.')
    await on.search.drop(firstIndex)
    await rebuildOutdated(ports, never)
    const calls: string[] = []
    const recording: JournalPorts['search'] = {
      ...on.search,
      drop: async (name) => void calls.push(`drop ${name}`),
      dropOlder: async (name) => void calls.push(`dropOlder ${name}`),
    }
    await maintainIndexes({ ...ports, search: recording }, never)
    // readers of another process may still use it
    expect(calls).toEqual([])
    pass(on, 60_000)
    await maintainIndexes({ ...ports, search: recording }, never)
    expect(calls).toEqual([`dropOlder ${firstIndex}`])
  })

  it('is not rebuilt into an index that another worker is dropping', async () => {
    await shown(ours, 'Zebras graze.')
    await on.search.drop(firstIndex)
    // half filled, and abandoned
    const left = newRebuild(on.clock, ours, nextShared(firstIndex, await ports.epoch()))
    await on.documents.insert(rebuilds, { ...left, state: 'dropping' })
    const freeze = gate()
    const dropping: JournalPorts['search'] = {
      ...on.search,
      async drop(name) {
        await freeze.stop()
        await on.search.drop(name)
      },
    }
    const keeping = maintainIndexes({ ...ports, search: dropping }, never)
    await freeze.reached
    await rebuildOutdated(ports, never)
    freeze.open()
    await keeping
    expect(await found(ours)).toBe(1)
    expect(await lost()).toEqual([])
  })

  it('is rebuilt as an own index if it belonged to one workspace', async () => {
    await shown(ours, 'Zebras graze.')
    const own = await rebuiltAlone(on, ours)
    await on.search.drop(own)
    await rebuildOutdated(ports, never)
    expect(await live(ours)).not.toBe(own)
    expect(isShared(await live(ours))).toBe(false)
    expect(await found(ours)).toBe(1)
  })

  it('is rebuilt once even if every worker detects the loss', async () => {
    for (const content of ['Zebras graze.', 'Lions hunt.', 'Whales sing.']) await shown(ours, content)
    const last = await write(ours, 'Bees dance.')
    await on.search.drop(firstIndex)
    let documents = 0
    const counting: JournalPorts['search'] = {
      ...on.search,
      async upsert(name, all) {
        const given = await allOf(all)
        documents += given.length
        return on.search.upsert(name, given)
      },
    }
    await Promise.all(Array.from({ length: 6 }, () => index(ours, { ...ports, search: counting })))
    expect((await rebuildsOf(on)).length).toBe(1)
    expect(documents).toBe(4)
    expect(await on.documents.get(receipts, last, ['state'])).toEqual({ state: 'applied' })
  })

  it('is left to the worker that rebuilds it, which wakes the others afterwards', async () => {
    await shown(ours, 'Zebras graze.')
    const last = await write(ours, 'Lions hunt.')
    await on.search.drop(firstIndex)
    const slow = frozenAtUpsert()
    const woken: unknown[] = []
    const queue = { ...ports.queue, add: async (...all: unknown[]) => void woken.push(all) }
    const rebuilding = rebuildOutdated({ ...slow.ports, queue }, never)
    await slow.reached
    await index(ours)
    await rebuildOutdated(ports, never)
    expect((await rebuildsOf(on)).map(({ state }) => state)).toEqual(['filling'])
    slow.thaw()
    await rebuilding
    expect(woken).toEqual([['index', { workspace: ours, lane: 'interactive' }]])
    await index(ours)
    expect(await on.documents.get(receipts, last, ['state'])).toEqual({ state: 'applied' })
    expect(await found(ours)).toBe(2)
  })

  it('is rebuilt even if its worker dies, and its writes are applied', async () => {
    await shown(ours, 'Zebras graze.')
    const last = await write(ours, 'Lions hunt.')
    await on.search.drop(firstIndex)
    const dying = frozenAtUpsert()
    const died = index(ours, dying.ports)
    await dying.reached
    await index(ours)
    expect(await on.documents.get(receipts, last, ['state'])).not.toEqual({ state: 'applied' })
    pass(on, 61_000)
    await maintainIndexes(ports, never)
    await index(ours)
    expect(await on.documents.get(receipts, last, ['state'])).toEqual({ state: 'applied' })
    expect(await found(ours)).toBe(2)
    // the suspended worker was not dead
    dying.thaw()
    await died
    expect(await found(ours)).toBe(2)
    expect(await lost()).toEqual([])
  })

  it('leaves one waiting rebuild if it cannot be created, and other indexes are rebuilt', async () => {
    for (const workspace of [ours, theirs]) await shown(workspace, 'Zebras graze.')
    const own = await rebuiltAlone(on, ours)
    const before = (await rebuildsOf(on)).length
    await write(ours, 'Lions hunt.')
    await on.search.drop(own)
    await on.search.drop(firstIndex)
    const full: JournalPorts['search'] = {
      ...on.search,
      create: (name) => (isShared(name) ? on.search.create(name) : Promise.reject(new Error('no room'))),
    }
    const by = { ...ports, search: full }
    await expect(rebuildOutdated(by, never)).rejects.toThrow('no room')
    expect(await lost()).toEqual([ours])
    for (let times = 0; times < 3; times++) {
      await expect(index(ours, by)).rejects.toThrow('no room')
      await expect(maintainIndexes(by, never)).rejects.toThrow('no room')
      await rebuildOutdated(by, never)
    }
    expect((await rebuildsOf(on)).slice(before).map(({ state }) => state)).toEqual(['asked', 'live'])
    // there is room again
    await index(ours)
    expect(await found(ours)).toBe(2)
  })

  it('is detected even if another workspace recreates it during one indexing step', async () => {
    await shown(ours, 'Zebras graze.')
    await write(ours, 'Lions hunt.')
    const slow = frozenAtUpsert()
    const indexing = index(ours, slow.ports)
    await slow.reached
    await on.search.drop(firstIndex)
    await shown(theirs, 'Whales sing.')
    slow.thaw()
    await indexing
    expect(await found(ours)).toBe(2)
    expect(await lost()).toEqual([])
  })

  it('is filled again if another workspace recreates it during a rebuild', async () => {
    for (const workspace of [ours, theirs]) await shown(workspace, 'Zebras graze.')
    await on.search.drop(firstIndex)
    const slow = frozenAtUpsert()
    const filling = rebuildOutdated(slow.ports, never)
    await slow.reached
    await on.search.drop((await rebuildsOf(on))[0]?.into as string)
    await write(theirs, 'Lions hunt.')
    await index(theirs)
    slow.thaw()
    await expect(filling).rejects.toThrow('was lost while it was filled')
    expect(await live(ours)).toBe(firstIndex)
    await maintainIndexes(ports, never)
    expect([await found(ours), await found(theirs)]).toEqual([1, 2])
    expect(await lost()).toEqual([])
  })

  it('is one whose watermark is missing, of another feed, or behind the checkpoint', async () => {
    await shown(ours, 'Zebras graze.')
    await shown(ours, 'Lions hunt.')
    const checkpoint = await checkpointOf(on.documents, ours)
    const lostWith = (watermark: Watermark | undefined) =>
      isLost(
        { documents: on.documents, search: { ...on.search, watermark: async () => watermark } },
        checkpoint,
        'epoch',
      )
    expect(await lostWith({ epoch: 'epoch', sequence: 2 })).toBe(false)
    expect(await lostWith({ epoch: 'epoch', sequence: 3 })).toBe(false)
    // restored from an older copy
    expect(await lostWith({ epoch: 'epoch', sequence: 1 })).toBe(true)
    // left over from before a restore
    expect(await lostWith({ epoch: 'another', sequence: 2 })).toBe(true)
    expect(await lostWith(undefined)).toBe(true)
  })

  it('is not one that was replaced and dropped since its checkpoint was read, nor one of an empty workspace', async () => {
    await shown(ours, 'Zebras graze.')
    const own = await rebuiltAlone(on, ours)
    const before = await checkpointOf(on.documents, ours)
    await rebuiltAlone(on, ours)
    await on.search.drop(own)
    expect(await isLost(on, before, 'epoch')).toBe(false)
    const empty = await checkpointOf(on.documents, theirs)
    await on.search.drop(empty.live)
    expect(await isLost(on, empty, 'epoch')).toBe(false)
  })

  it('is found behind any number of other workspaces, or among the first ones only', async () => {
    for (const workspace of [ours, theirs, others]) await shown(workspace, 'Zebras graze.')
    await on.search.drop(firstIndex)
    expect(await lost()).toEqual([ours, theirs, others])
    const first: string[] = []
    let pages = 0
    const find: Documents['find'] = (...asked) => {
      pages += 1
      return on.documents.find(...asked)
    }
    const ports = { search: on.search, documents: { ...on.documents, find } }
    for await (const { id } of outdatedIndexes(ports, 'epoch', 2)) first.push(id)
    expect(first).toEqual([ours, theirs])
    expect(pages).toBe(1)
  })
})
