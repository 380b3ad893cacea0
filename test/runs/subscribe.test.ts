import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { systemClock } from '../../src/adapters/system-clock.ts'
import type { RecordId } from '../../src/ids.ts'
import type { EventStream, Reads, StreamEvent } from '../../src/operation.ts'
import type { Documents } from '../../src/ports/documents.ts'
import { EngineUnavailable } from '../../src/ports/unavailable.ts'
import { openStream } from '../../src/run-query.ts'
import type { StreamRunInput, SubscribeOutput } from '../../src/runs/shown.ts'
import { streamRun, subscribeRun } from '../../src/runs/subscribe.ts'
import { runWatching } from '../../src/runs/watching/watching.ts'
import { type World, world } from '../support/apply.ts'
import { ask, readsOf } from '../support/ask.ts'
import { ada, eve, make } from '../tasks/tasks.ts'
import { change, report, storeRun } from './stored-run.ts'

let on: World
let reads: Reads
let task: string
let run: RecordId
/** What the service has asked the store for. */
let queries = 0
let isAway = false

beforeEach(async () => {
  on = await world()
  const counted: Documents = {
    ...on.documents,
    find: (...asked) => {
      queries += 1
      if (isAway) return Promise.reject(new EngineUnavailable('store', 'away'))
      return on.documents.find(...asked)
    },
  }
  reads = { ...(await readsOf(on)), clock: systemClock, documents: counted, runs: runWatching(counted, systemClock) }
  task = await make(on)
  run = await storeRun(on, task, { mutable: { state: 'running', fence: 1 }, lease: { fence: 1, holder: 'worker-1' } })
})
afterEach(async () => {
  isAway = false
  reads.runs.close()
  await on.close()
})

const end = () => change(on, run, { state: 'succeeded' }, { open: 0, holder: null })
const page = (input: object = {}, actor = ada): Promise<SubscribeOutput> =>
  ask(reads, subscribeRun, { id: task, ...input }, actor)
const numbers = ({ milestones }: SubscribeOutput) => milestones.map(({ number }) => number)
/** The system clock of the test. */
const ms = (time: number) => new Promise((resolve) => setTimeout(resolve, time))

const aborts: AbortController[] = []
afterEach(() => {
  for (const one of aborts.splice(0)) one.abort()
})

interface Reading {
  events: StreamEvent[]
  /** Resolves at the end of the stream. */
  ended: Promise<void>
  leave(): void
}

async function stream(input: object = {}): Promise<Reading | undefined> {
  const abort = new AbortController()
  aborts.push(abort)
  const source = streamRun as EventStream<StreamRunInput>
  const opened = await openStream(reads, source, ada, { id: task, ...input }, abort.signal)
  if (opened === undefined) return undefined
  const events: StreamEvent[] = []
  const read = async () => {
    for await (const event of opened) events.push(event)
  }
  return { events, ended: read(), leave: () => abort.abort() }
}

const told = ({ events }: Reading) => events.map(({ event, id }) => (id === undefined ? event : `${event} ${id}`))

describe('a long poll of a run', () => {
  it('pages through the milestones, 200 a page', async () => {
    await report(on, run, 1, [{ title: 'one', text: 'Text.', data: { a: 1 } }])
    await report(
      on,
      run,
      2,
      Array.from({ length: 200 }, () => ({})),
    )
    await report(on, run, 202, [{ type: 'session' }])
    const first = await page()
    expect(first).toMatchObject({ run_id: run, state: 'running', next_after: 200, done: false })
    expect(first.milestones[0]).toEqual({
      ...{ number: 1, at: expect.any(String), type: 'milestone', title: 'one', text: 'Text.', data: { a: 1 } },
      session_id: `${run}-1`,
    })
    expect(numbers(first)).toEqual(Array.from({ length: 200 }, (_, n) => n + 1))
    const last = await page({ after: 200 })
    expect(numbers(last)).toEqual([201, 202])
    expect(last).toMatchObject({ next_after: 202, done: false })
    expect(await page({ after: 202 })).toMatchObject({ milestones: [], next_after: 202, done: false })
  })

  it('reads milestones from the store that are too old or too large to be kept in memory', async () => {
    const text = 'x'.repeat(10_000)
    for (let first = 1; first < 600; first += 3) await report(on, run, first, [{ text }, { text }, { text }])
    let after = 0
    const seen: number[] = []
    while (seen.length < 600) {
      const next = await page({ after })
      seen.push(...numbers(next))
      after = next.next_after
      expect(next.milestones.length).toBe(200)
    }
    expect(seen).toEqual(Array.from({ length: 600 }, (_, n) => n + 1))
    expect(numbers(await page({ after: 101 }))).toEqual(Array.from({ length: 200 }, (_, n) => n + 102))
  })

  it('waits for a milestone, and answers as it is once the time is over', async () => {
    expect(await page({ wait: 1 })).toMatchObject({ milestones: [], next_after: 0 })
    const waiting = page({ wait: 30 })
    await report(on, run, 1, [{}])
    expect(numbers(await waiting)).toEqual([1])
  })

  it('waits for another state only if it is told the state that the caller has seen', async () => {
    expect((await page({ wait: 30, state: 'queued' })).state).toBe('running')
    const waiting = page({ wait: 30, state: 'running' })
    const silent = page({ wait: 1 })
    await change(on, run, { state: 'awaiting_approval' })
    expect((await waiting).state).toBe('awaiting_approval')
    let isAnswered = false
    void silent.then(() => {
      isAnswered = true
    })
    await ms(300)
    expect(isAnswered).toBe(false)
    expect((await silent).state).toBe('awaiting_approval')
  })

  it.each([
    ['its lease is held', { holder: 'worker-1', open: 1 }],
    ['its milestones are not closed', { holder: null, open: 1 }],
  ])('is not done while the run has ended and %s', async (_, lease) => {
    await change(on, run, { state: 'cancelled' }, lease)
    expect(await page()).toMatchObject({ state: 'cancelled', done: false })
    // what the session had printed is stored after the run was cancelled
    await report(on, run, 1, [{}])
    const waiting = page({ after: 1, wait: 30 })
    await report(on, run, 2, [])
    await change(on, run, {}, { open: 0, holder: null })
    expect(await waiting).toMatchObject({ milestones: [], done: true })
    expect(await page()).toMatchObject({ next_after: 1, done: true })
  })

  it('is done if the run has ended and never had a session', async () => {
    const other = await make(on)
    await storeRun(on, other, { mutable: { state: 'cancelled' } })
    expect(await ask(reads, subscribeRun, { id: other }, ada)).toMatchObject({ milestones: [], done: true })
  })

  it('is done only with the last page', async () => {
    await report(
      on,
      run,
      1,
      Array.from({ length: 201 }, () => ({})),
    )
    await end()
    expect((await page()).done).toBe(false)
    expect((await page({ after: 200 })).done).toBe(true)
  })

  it('is done if the milestones of the run were deleted', async () => {
    const other = await make(on)
    const old = await storeRun(on, other, { mutable: { state: 'succeeded', fence: 3 }, lease: { fence: 3 } })
    await change(on, old, {}, { open: 0 })
    expect(await ask(reads, subscribeRun, { id: other, after: 7 }, ada)).toMatchObject({ next_after: 7, done: true })
  })

  it('is answered as it is when the service stops', async () => {
    const waiting = page({ wait: 30 })
    await ms(100)
    reads.runs.close()
    expect(await waiting).toMatchObject({ milestones: [], done: false })
  })

  it('is not found where the task is hidden, missing or never ran', async () => {
    const other = await make(on, { visibility: { scope: 'private' } })
    await storeRun(on, other)
    const refusal = (id: string) => page({ id }, eve).catch(({ code, message }) => ({ code, message }))
    expect(await refusal(other)).toEqual(await refusal(on.clock.id()))
    await expect(page({ id: await make(on) })).rejects.toMatchObject({ code: 'not_found' })
  })

  it('goes on after the store was away', async () => {
    const waiting = page({ wait: 30 })
    await ms(100)
    isAway = true
    await ms(200)
    isAway = false
    await report(on, run, 1, [{}])
    expect(numbers(await waiting)).toEqual([1])
  })
})

describe('a stream of a run', () => {
  it('sends the state first, then milestones and further states, and done at the end', async () => {
    await report(on, run, 1, [{}, {}])
    const reading = (await stream()) as Reading
    await expect.poll(() => told(reading)).toEqual(['state', 'milestone 1', 'milestone 2'])
    await change(on, run, { state: 'awaiting_approval' })
    await expect
      .poll(() => reading.events.at(-1))
      .toEqual({
        event: 'state',
        data: { run_id: run, state: 'awaiting_approval' },
      })
    await report(on, run, 3, [{}])
    await expect.poll(() => told(reading).at(-1)).toBe('milestone 3')
    await end()
    await reading.ended
    expect(told(reading).slice(-2)).toEqual(['state', 'done 4'])
    expect(reading.events.at(-1)?.data).toEqual({ run_id: run, state: 'succeeded', next_after: 3 })
  })

  it('continues after the last event that its reader has read, and has nothing more after done', async () => {
    await report(on, run, 1, [{}, {}, {}])
    const reading = (await stream({ last_event_id: '2', after: 0 })) as Reading
    await expect.poll(() => told(reading)).toEqual(['state', 'milestone 3'])
    await end()
    await reading.ended
    const again = (await stream({ last_event_id: '3' })) as Reading
    await again.ended
    expect(told(again)).toEqual(['state', 'done 4'])
    expect(await stream({ last_event_id: '4' })).toBeUndefined()
  })

  it('ends when its reader leaves, and when the service stops', async () => {
    const [one, other] = [(await stream()) as Reading, (await stream()) as Reading]
    one.leave()
    await one.ended
    reads.runs.close()
    await other.ended
    expect(told(other)).toEqual(['state'])
  })

  it('costs the store no query of its own while it is open', async () => {
    const readings = await Promise.all(Array.from({ length: 1_000 }, () => stream()))
    await expect.poll(() => readings.every((one) => told(one as Reading).length === 1)).toBe(true)
    const before = queries
    for (let first = 1; first <= 20; first += 1) await report(on, run, first, [{}])
    await expect.poll(() => readings.every((one) => told(one as Reading).length === 21), { timeout: 20_000 }).toBe(true)
    // fewer than one for each stream
    expect(queries - before).toBeLessThan(1_000)
  })
})
