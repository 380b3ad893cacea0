/** What drain does if other workers act between two of its calls, or if its operation is slow, large or fails. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { memoryRow } from '../../src/deciding/new-row.ts'
import { nothingChanged, outcomeAbout } from '../../src/deciding/outcome.ts'
import { recordDecision } from '../../src/decisions/record.ts'
import { indexWorkspace } from '../../src/indexing/index-entries.ts'
import { checkpointOf } from '../../src/journal/checkpoint.ts'
import { decideBatch } from '../../src/journal/decide.ts'
import { drain } from '../../src/journal/drain.ts'
import { type Entry, entries } from '../../src/journal/entry.ts'
import { headOf } from '../../src/journal/head.ts'
import type { JournalPorts } from '../../src/journal/ports.ts'
import { remember } from '../../src/memories/remember.ts'
import { defineOperation, type Operation } from '../../src/operation.ts'
import type { Documents } from '../../src/ports/documents.ts'
import { EngineUnavailable } from '../../src/ports/unavailable.ts'
import { pendingFields, receipts } from '../../src/receipt.ts'
import { actorAda, apply, promise, quiet, row, rows, type World, workspace, world } from '../support/apply.ts'
import { ticks } from '../support/chaos.ts'

const interactive = { workspace, lane: 'interactive' as const }
const fact = (content: string) => ({ kind: 'fact', content })
const decision = (title: string, more: object = {}) => ({ title, judgment: `${title}, we decide.`, ...more })

describe('drain', () => {
  let on: World
  let ports: JournalPorts
  beforeEach(async () => {
    on = await world()
    ports = on.portsOf(on)
  })
  afterEach(() => on.close())

  /** Ports that also know this operation of a test. */
  function knowing<Input>(operation: Operation<Input>): JournalPorts {
    const operations = new Map(ports.operations).set(operation.name, operation as unknown as Operation<never>)
    return { ...ports, operations }
  }
  function numbered(name: string, decide: Operation<{ n: number }>['decide']): Operation<{ n: number }> {
    return defineOperation<{ n: number }>({
      name,
      scope: 'context:write',
      summary: 'Of a test.',
      raisesQuestions: false,
      input: z.strictObject({ n: z.number() }),
      texts: () => [],
      decide,
    })
  }
  const withDocuments = (more: Partial<Documents>): JournalPorts => ({
    ...ports,
    documents: { ...on.documents, ...more },
  })
  async function journal(): Promise<Entry[]> {
    return on.documents.find(entries, { where: { workspace }, sort: [['number', 'asc']], limit: 100 })
  }

  it('writes nothing of an entry that another worker appended first, and waits from 5 to 100 ms', async () => {
    const slow = await promise(on, recordDecision, decision('Slow', { external_id: 'same' }))
    let races = 0
    const sleeps: number[] = []
    const racing = withDocuments({
      insert: async (collection, document) => {
        if (collection.name === entries.name && races++ === 0) {
          await promise(on, recordDecision, decision('Fast', { external_id: 'same' }), actorAda, 'import')
          await drain(ports, { workspace, lane: 'import' })
        }
        return on.documents.insert(collection, document)
      },
    })
    for (const random of [0, 0.5, 0.999]) {
      const clock = {
        ...ports.clock,
        random: () => random,
        sleep: async (ms: number) => void sleeps.push(ms),
      }
      races = 0
      if (random > 0) await promise(on, remember, fact(`Raced at ${random}.`))
      await drain({ ...racing, clock }, interactive)
    }
    await quiet(on)
    expect((await rows(on)).filter(({ kind }) => kind === 'decision')).toHaveLength(2)
    const decided = await on.documents.get(receipts, slow.id)
    // decided again, on the state that the other entry made
    expect(decided).toMatchObject({ state: 'applied', number: 2, attempts: 1 })
    const waits = sleeps.filter((ms) => ms > 0)
    expect(waits.length).toBe(3)
    expect(Math.min(...waits)).toBe(5)
    expect(Math.max(...waits)).toBeGreaterThan(50)
    expect(Math.max(...waits)).toBeLessThanOrEqual(100)
  })

  it('decides nothing after a duplicate append until it can read the other entry', async () => {
    const { id } = await promise(on, remember, fact('Slow.'))
    const { lagging, state } = behindAReplica(5)
    await drain(lagging, interactive)
    expect(state.refused).toBe(1)
    expect(await on.documents.get(receipts, id)).toMatchObject({ number: 2, attempts: 1 })
  })

  it('fails if the entry that made its append a duplicate cannot be read for ten seconds', async () => {
    await promise(on, remember, fact('Slow.'))
    const { lagging, state } = behindAReplica(Number.POSITIVE_INFINITY)
    let elapsed = 0
    const clock = {
      ...lagging.clock,
      elapsed: () => elapsed,
      sleep: async (ms: number) => {
        elapsed += ms
        if (elapsed > 60_000) throw new Error('it waits for ever')
      },
    }
    await expect(drain({ ...lagging, clock }, interactive)).rejects.toThrow("entry 1 can't be read")
    expect(state.refused).toBe(1)
    expect(elapsed).toBeGreaterThan(10_000)
  })

  /** Another worker appends first, and `reads` reads of the head do not show its entry yet. */
  function behindAReplica(reads: number) {
    const state = { refused: 0, left: 0 }
    const lagging = withDocuments({
      insert: async (collection, document) => {
        if (collection.name === entries.name && state.refused === 0) {
          await promise(on, remember, fact('Fast.'), actorAda, 'import')
          await drain(ports, { workspace, lane: 'import' })
          state.left = reads
        }
        const inserted = await on.documents.insert(collection, document)
        if (collection.name === entries.name && !inserted) state.refused += 1
        return inserted
      },
      find: async (collection, query) => {
        const isHead = collection.name === entries.name && query.limit === 1
        return isHead && state.left-- > 0 ? [] : on.documents.find(collection, query)
      },
    })
    return { lagging, state }
  }

  it('never moves a receipt back that another worker has applied meanwhile', async () => {
    const { id } = await promise(on, remember, fact('Chosen by two.'))
    let applied: unknown
    const late = withDocuments({
      updateMany: async (collection, ids, change, condition) => {
        if (collection.name === receipts.name && applied === undefined) {
          await drain(ports, interactive)
          await indexWorkspace(ports, interactive)
          applied = await on.documents.get(receipts, id)
        }
        return on.documents.updateMany(collection, ids, change, condition)
      },
    })
    await drain(late, interactive)
    expect(applied).toMatchObject({ state: 'applied', open: 0 })
    expect(await on.documents.get(receipts, id)).toEqual(applied)
    expect((await headOf(on.documents, workspace)).number).toBe(1)
  })

  it('decides each receipt on the changes of those before it in the same entry', async () => {
    const batch = [
      await promise(on, recordDecision, decision('A', { external_id: 'a', decided_at: '2024-01-01T00:00:00Z' })),
      await promise(on, recordDecision, decision('A again', { external_id: 'a' })),
      await promise(on, recordDecision, decision('B', { supersedes: ['a', 'later'] })),
      await promise(on, recordDecision, decision('Later', { external_id: 'later' })),
      await promise(on, remember, fact('Tea is free.')),
      await promise(on, remember, fact('Tea is free.')),
      await promise(on, recordDecision, decision('C', { supersedes: ['a'] })),
    ]
    await quiet(on)
    expect((await journal()).length).toBe(1)
    const ended = await Promise.all(batch.map(async ({ id }) => (await on.documents.get(receipts, id))?.entity?.id))
    const [a, again, b, later, tea, repeated, c] = ended
    expect(again).toBe(a)
    expect(repeated).toBe(tea)
    expect(new Set([a, b, later, tea]).size).toBe(4)
    const current = async (index: number) =>
      row(on, (await on.documents.get(receipts, batch[index]?.id as string)) as never)
    expect(await current(1)).toMatchObject({ revision: 2, superseded_by: b, successors: [{ id: b }, { id: c }] })
    expect(await current(2)).toMatchObject({ supersedes: [a, later] })
    expect(await current(3)).toMatchObject({ superseded_by: b })
  })

  it('sees the changes of this entry in a stored record, however it is looked up', async () => {
    const a = (await apply(on, recordDecision, decision('A', { external_id: 'a' }))).entity?.id as string
    const b = await promise(on, recordDecision, decision('B', { supersedes: [a] }))
    const c = await promise(on, recordDecision, decision('C', { supersedes: ['a'] }))
    await quiet(on)
    expect((await journal()).length).toBe(2)
    const successors = await Promise.all(
      [b, c].map(async ({ id }) => (await on.documents.get(receipts, id))?.entity?.id),
    )
    const [stored] = (await rows(on)).filter((one) => one.record_id === a)
    expect(stored?.successors.map(({ id }) => id)).toEqual(successors)
  })

  const large = numbered('test.large', async (context) => {
    // two bytes a letter
    const text = 'ö'.repeat(context.input.n)
    const row = memoryRow(context, {
      text,
      title: `Of ${context.input.n}`,
      audience: 'workspace',
      sources: [],
      topics: [],
      content_hash: `${context.receipt.id}`,
      body: { memory_kind: 'fact' },
    } as Parameters<typeof memoryRow>[1])
    return outcomeAbout(row, { created: [row] })
  })
  const longChange = numbered('test.long_change', async ({ input }) => ({
    ...nothingChanged,
    changed: [{ id: `missing-${input.n}`, set: { topics: ['ö'.repeat(input.n)] } }],
  }))

  it.each([large, longChange])(
    'limits an entry to 4 MiB of texts and changes, and keeps it below 8 MiB: $name',
    async (operation) => {
      const by = knowing(operation)
      for (const n of [1_000_000, 1_000_000, 1_000_000, 2_500_000, 10]) await promise(on, operation, { n })
      await drain(by, interactive)
      const made = await journal()
      expect(made.map(({ receipts }) => receipts.length)).toEqual([2, 1, 1, 1])
      for (const entry of made) expect(Buffer.byteLength(JSON.stringify(entry))).toBeLessThan(8 * 1024 * 1024)
      const all = await on.documents.find(receipts, { where: { id: { gt: '' } }, limit: 10 })
      // those that did not fit were not tried
      expect(all.map(({ attempts, undecided }) => ({ attempts, undecided }))).toEqual(
        Array(5).fill({ attempts: 1, undecided: 0 }),
      )
    },
  )

  it('retries the job, and fails no receipt, as long as the store is unavailable to the operation', async () => {
    let isAway = true
    const reading = numbered('test.reading', async () => {
      if (isAway) throw new EngineUnavailable('test', 'away')
      return nothingChanged
    })
    const by = knowing(reading)
    const { id } = await promise(on, reading, { n: 1 })
    for (let times = 0; times < 10; times++) await expect(drain(by, interactive)).rejects.toThrow('away')
    expect(await on.documents.get(receipts, id)).toMatchObject({ open: 1, undecided: 1, errors: 0 })
    isAway = false
    await drain(by, interactive)
    expect(await on.documents.get(receipts, id)).toMatchObject({ state: 'processing', number: 1 })
  })

  it('fails a receipt once five workers have died while deciding it alone', async () => {
    for (const [attempts, state] of [
      [7, 'processing'],
      [8, 'failed'],
    ] as const) {
      const { id } = await promise(on, remember, fact(`Tried ${attempts} times.`))
      await on.documents.update(receipts, id, { set: { attempts } })
      await drain(ports, interactive)
      expect((await on.documents.get(receipts, id))?.state).toBe(state)
    }
  })

  it('limits the time of a receipt that is decided alone', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    try {
      let begin = () => {}
      const begun = new Promise<void>((resolve) => {
        begin = resolve
      })
      const endless = numbered('test.endless', () => {
        begin()
        return new Promise(() => {})
      })
      const { id } = await promise(on, endless, { n: 1 })
      const batch = await on.documents.find(receipts, { where: { id }, limit: 1, fields: pendingFields })
      const deciding = decideBatch(knowing(endless), workspace, { number: 0, last_seq: 0 }, batch)
      await begun
      await ticks(5)
      vi.advanceTimersByTime(29_999)
      const early = await Promise.race([deciding, ticks(20).then(() => 'still deciding')])
      expect(early).toBe('still deciding')
      vi.advanceTimersByTime(1)
      const late = await Promise.race([deciding, ticks(20).then(() => 'still deciding')])
      expect(late).toMatchObject({ threw: [{ error: new Error('deciding timed out after 30000 ms') }] })
    } finally {
      vi.useRealTimers()
    }
  })

  it('wakes the index worker after an entry, and again as long as the index is behind', async () => {
    const woken: string[] = []
    const queue = { ...ports.queue, add: async (kind: string) => void woken.push(kind) } as JournalPorts['queue']
    await promise(on, remember, fact('Indexed later.'))
    const wokenAt: number[] = []
    const more = withDocuments({
      insert: async (collection, document) => {
        if (collection.name === entries.name) wokenAt.push(woken.length)
        if (collection.name === entries.name && wokenAt.length < 3)
          await promise(on, remember, fact(`More: ${wokenAt}.`))
        return on.documents.insert(collection, document)
      },
    })
    await drain({ ...more, queue }, interactive)
    // a wake-up after each entry, not only after the last one
    expect(wokenAt).toEqual([0, 1, 2])
    woken.length = 0
    await drain({ ...ports, queue }, interactive)
    expect(woken).toEqual(['index'])
    woken.length = 0
    await indexWorkspace(ports, interactive)
    await drain({ ...ports, queue }, interactive)
    expect(woken).toEqual([])
    expect((await checkpointOf(on.documents, workspace)).indexed).toBe(3)
  })
})
