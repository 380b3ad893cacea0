import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { indexWorkspace } from '../../src/indexing/index-entries.ts'
import { checkpointOf, checkpoints } from '../../src/journal/checkpoint.ts'
import { drain } from '../../src/journal/drain.ts'
import { entries, entryId } from '../../src/journal/entry.ts'
import { headOf } from '../../src/journal/head.ts'
import { prune } from '../../src/journal/maintenance/prune.ts'
import { sweep } from '../../src/journal/maintenance/sweep.ts'
import type { JournalPorts } from '../../src/journal/ports.ts'
import { NewerFormat } from '../../src/journal/project.ts'
import { remember } from '../../src/memories/remember.ts'
import { defineOperation, type Operation } from '../../src/operation.ts'
import { EngineUnavailable } from '../../src/ports/unavailable.ts'
import { newestFormat, receipts } from '../../src/receipt.ts'
import { allOf } from '../support/all-of.ts'
import { actorAda, apply, promise, quiet, row, rows, type World, workspace, world } from '../support/apply.ts'
import { rebuiltAlone } from '../support/rebuilds.ts'

const interactive = { workspace, lane: 'interactive' as const }
let poisonings = 0
const poison = defineOperation<{ n: number }>({
  name: 'test.poison',
  scope: 'context:write',
  summary: 'Throws.',
  raisesQuestions: false,
  input: z.strictObject({ n: z.number() }),
  texts: () => [],
  async decide() {
    poisonings += 1
    throw new TypeError('a defect of the operation')
  },
})

describe('drain', () => {
  let on: World
  let ports: JournalPorts
  beforeEach(async () => {
    on = await world()
    const known = on.portsOf(on)
    const operations = new Map(known.operations)
    operations.set(poison.name, poison as unknown as Operation<never>)
    ports = { ...known, operations }
  })
  afterEach(() => on.close())

  it('fails only the receipt whose operation throws, at the third attempt', async () => {
    const good = await promise(on, remember, { kind: 'fact', content: 'Good.' })
    const bad = await promise(on, poison, { n: 1 })
    poisonings = 0
    for (let jobs = 0; jobs < 4; jobs++) {
      await drain(ports, interactive).catch(() => {})
      expect((await on.documents.get(receipts, good.id))?.undecided).toBe(0)
    }
    expect(poisonings).toBe(3)
    expect(await on.documents.get(receipts, bad.id)).toMatchObject({
      state: 'failed',
      error: { code: 'internal_error', retryable: true },
    })
  })

  it('fails a receipt that keeps crashing workers, and decides the receipts behind it', async () => {
    const deadly = await promise(on, remember, { kind: 'fact', content: 'Deadly.' })
    await on.documents.update(receipts, deadly.id, { set: { attempts: 8 } })
    const behind = await promise(on, remember, { kind: 'fact', content: 'Behind.' })
    await drain(ports, interactive)
    expect(await on.documents.get(receipts, deadly.id)).toMatchObject({ state: 'failed', open: 0 })
    expect(await on.documents.get(receipts, behind.id)).toMatchObject({ undecided: 0, number: 2 })
  })

  it('does not count an outage of the store as an attempt', async () => {
    const { id } = await promise(on, remember, { kind: 'fact', content: 'Away.' })
    let isAway = true
    const shaky = appending(async (append) => {
      if (isAway) throw new EngineUnavailable('test', 'away')
      return append()
    })
    for (let times = 0; times < 10; times++) await expect(drain(shaky, interactive)).rejects.toThrow('away')
    isAway = false
    await drain(shaky, interactive)
    expect(await on.documents.get(receipts, id)).toMatchObject({ number: 1, attempts: 1 })
  })

  it('does not count an append that another worker won as an attempt', async () => {
    const { id } = await promise(on, remember, { kind: 'fact', content: 'Raced.' })
    let races = 0
    const racing = appending(async (append) => {
      if (races++ < 3) {
        await promise(on, remember, { kind: 'fact', content: `Faster ${races}.` }, actorAda, 'import')
        await drain(ports, { workspace, lane: 'import' })
      }
      return append()
    })
    await drain(racing, interactive)
    expect(await on.documents.get(receipts, id)).toMatchObject({ number: 4, attempts: 1 })
  })

  /** Ports whose store appends each entry in this way. */
  function appending(way: (append: () => Promise<boolean>) => Promise<boolean>): JournalPorts {
    const documents: JournalPorts['documents'] = {
      ...ports.documents,
      insert: (collection, document) => {
        const insert = () => ports.documents.insert(collection, document)
        return collection.name === entries.name ? way(insert) : insert()
      },
    }
    return { ...ports, documents }
  }

  it('leaves receipts and entries of a newer format to newer workers', async () => {
    const { id } = await promise(on, remember, { kind: 'fact', content: 'From the future.' })
    await on.documents.update(receipts, id, { set: { format: newestFormat + 1 } })
    await drain(ports, interactive)
    expect(await on.documents.get(receipts, id)).toMatchObject({ undecided: 1, state: 'accepted' })

    await apply(on, remember, { kind: 'fact', content: 'Now.' })
    const { number } = { number: 2 }
    await on.documents.insert(entries, {
      id: entryId(workspace, number),
      workspace,
      number,
      first_seq: 2,
      last_seq: 1,
      at: '2026-01-01T00:00:00.000Z',
      format: newestFormat + 1,
      emptied: false,
      receipts: [],
      records: [],
      documents: {},
    })
    await expect(drain(ports, interactive)).rejects.toThrow(NewerFormat)
    expect((await checkpointOf(on.documents, workspace)).projected).toBe(1)
  })

  it('prunes entries that all checkpoints have passed, and continues their numbers', async () => {
    for (const content of ['One.', 'Two.', 'Three.']) await apply(on, remember, { kind: 'fact', content })
    while (on.clock.now() < Date.parse('2026-01-01T00:01:30Z')) {}
    const dayInMinutes = 1 / (24 * 60)
    const { emptied, removed } = await prune(ports, { journalDays: dayInMinutes, receiptDays: dayInMinutes })
    expect([emptied, removed]).toEqual([2, 3])
    expect(await on.documents.get(entries, entryId(workspace, 1))).toMatchObject({ emptied: true, records: [] })
    await apply(on, remember, { kind: 'fact', content: 'Four.' })
    expect((await rows(on)).map((one) => one.seq)).toEqual([1, 2, 3, 4])
  })

  it('rebuilds the index from the records, and detects a lost index', async () => {
    const kept = await apply(on, remember, { kind: 'fact', content: 'Zebras graze.' })
    const before = (await checkpointOf(on.documents, workspace)).live
    expect(await rebuiltAlone(on)).not.toBe(before)
    const { live } = await checkpointOf(on.documents, workspace)
    expect(await on.search.count(live, workspace)).toBe(1)
    await on.search.drop(live)
    await apply(on, remember, { kind: 'fact', content: 'Lions hunt.' })
    const now = (await checkpointOf(on.documents, workspace)).live
    expect(await on.search.count(now, workspace)).toBe(2)
    expect((await row(on, kept)).title).toBe('Zebras graze.')
  })

  it('indexes small entries in one step, then gives up its place if another workspace waits', async () => {
    const steps = countingUpserts()
    await backlog(60, 'Backlog')
    const asked = placeAmong(true)
    await indexWorkspace(steps.ports, interactive, undefined, asked)
    // if each entry were a step of its own, each would cost a refresh
    expect(steps.documents).toEqual([25])
    expect((await checkpointOf(on.documents, workspace)).indexed).toBe(25)
    expect(asked.times).toBe(1)
    await indexWorkspace(steps.ports, interactive, undefined, placeAmong(false))
    expect(steps.documents).toEqual([25, 25, 10])
    expect((await checkpointOf(on.documents, workspace)).indexed).toBe(60)
  })

  it('limits the text that is indexed in one step', async () => {
    const steps = countingUpserts()
    await backlog(24, 'long '.repeat(39_000))
    await indexWorkspace(steps.ports, interactive)
    expect(steps.documents).toEqual([22, 2])
    expect((await checkpointOf(on.documents, workspace)).indexed).toBe(24)
  })

  /** Appends one entry for each. */
  async function backlog(entries: number, content: string) {
    for (let number = 0; number < entries; number++) {
      await promise(on, remember, { kind: 'fact', content: `${content} ${number}.` })
      await drain(ports, interactive)
    }
  }

  function countingUpserts() {
    const documents: number[] = []
    const search: JournalPorts['search'] = {
      ...ports.search,
      async upsert(index, all) {
        const taken = await allOf(all)
        documents.push(taken.length)
        return ports.search.upsert(index, taken)
      },
    }
    return { documents, ports: { ...ports, search } }
  }

  it('gives up its place after an entry if another workspace waits and work is left', async () => {
    let calls = 0
    const call = () => promise(on, remember, { kind: 'fact', content: `Flood ${calls++}.` })
    await call()
    const asked = placeAmong(true)
    // receipts accepted while an entry is decided are found after it
    const flooded = appending(async (append) => {
      if (calls < 5) await call()
      return append()
    })
    await drain(flooded, interactive, asked)
    expect((await headOf(on.documents, workspace)).number).toBe(1)
    expect(asked.times).toBe(1)
    await drain(ports, interactive, asked)
    expect((await headOf(on.documents, workspace)).number).toBe(2)
    // no work was left, so the queue was not asked
    expect(asked.times).toBe(1)
  })

  it('starts over if another worker decides and applies the whole chosen batch', async () => {
    const { id } = await promise(on, remember, { kind: 'fact', content: 'Chosen by two.' })
    const find: JournalPorts['documents']['find'] = async (collection, query) => {
      const found = await ports.documents.find(collection, query)
      const isChoice = collection.name === receipts.name && 'undecided' in query.where
      if (isChoice && found.length > 0) {
        await drain(ports, interactive)
        // it ends, and its input is deleted
        await indexWorkspace(ports, interactive)
      }
      return found
    }
    await drain({ ...ports, documents: { ...ports.documents, find } }, interactive)
    expect(await on.documents.get(receipts, id)).toMatchObject({ number: 1, attempts: 1 })
    expect((await headOf(on.documents, workspace)).number).toBe(1)
  })

  it('continues without the queue if no other workspace waits', async () => {
    let entriesMade = 0
    await promise(on, remember, { kind: 'fact', content: 'First.' })
    const flooded = appending(async (append) => {
      entriesMade += 1
      if (entriesMade < 5) await promise(on, remember, { kind: 'fact', content: `Flood ${entriesMade}.` })
      return append()
    })
    await drain(flooded, interactive, placeAmong(false))
    expect((await headOf(on.documents, workspace)).number).toBe(5)
  })

  it('gives up its place while projecting a long backlog of entries', async () => {
    await backlog(3, 'Entry')
    await on.documents.update(checkpoints, workspace, { set: { projected: 0, projected_seq: 0 } })
    const slow: JournalPorts = { ...ports, clock: { ...ports.clock, elapsed: () => on.clock.now() * 200 } }
    const asked = placeAmong(true)
    await drain(slow, interactive, asked)
    expect((await checkpointOf(on.documents, workspace)).projected).toBe(1)
    expect(asked.times).toBe(1)
  })

  it('yields to the event loop while deciding a batch', async () => {
    let turns = 0
    let isOn = true
    const count = () => {
      turns += 1
      if (isOn) setImmediate(count)
    }
    count()
    const seen: number[] = []
    const slow = defineOperation<{ n: number }>({
      ...poison,
      name: 'test.slow',
      async decide() {
        seen.push(turns)
        work()
        return { entity: null, correctable: false, created: [], changed: [], documents: {} }
      },
    })
    const operations = new Map(ports.operations)
    operations.set(slow.name, slow as unknown as Operation<never>)
    for (let n = 0; n < 5; n++) await promise(on, slow, { n })
    await drain({ ...ports, operations }, interactive)
    isOn = false
    expect(new Set(seen).size).toBe(5)
  })

  /** Longer than one turn. */
  function work(): void {
    const until = performance.now() + 20
    while (performance.now() < until);
  }

  /** The place of a job, with or without other workspaces that wait for it. */
  function placeAmong(others: boolean) {
    const place = {
      times: 0,
      giveUp: async () => {
        place.times += 1
        return others
      },
    }
    return place
  }

  it('wakes workspaces with receipts that are stranded for five seconds, and no others', async () => {
    const woken: string[] = []
    const watching = {
      ...ports,
      queue: { ...ports.queue, add: async (kind: string) => void woken.push(kind) } as JournalPorts['queue'],
    }
    await promise(on, remember, { kind: 'fact', content: 'Stranded.' })
    await sweep(watching)
    expect(woken).toEqual([])
    const now = on.clock.now()
    while (on.clock.now() < now + 6000) {}
    await sweep(watching)
    expect(woken).toEqual(['apply', 'index'])
    await drain(ports, interactive)
    woken.length = 0
    await sweep(watching)
    expect(woken).toContain('index')
    await indexWorkspace(ports, interactive)
    woken.length = 0
    await sweep(watching)
    expect(woken).toEqual([])
    await quiet(on)
  })
})
