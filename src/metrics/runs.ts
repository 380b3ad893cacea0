/** The metrics of runs: how many there are, how long they wait, and how long their sessions take. */
import { Counter, Gauge, Histogram, type Registry } from 'prom-client'
import type { SessionWatch } from '../journal/ports.ts'
import { atMostEvery } from '../ports/at-most-every.ts'
import type { Clock } from '../ports/clock.ts'
import type { Documents } from '../ports/documents.ts'
import { activeRunStates, runPhases, runStateDocuments } from '../records/run.ts'

export interface RunFigures {
  /** Runs that have not ended, by state, counted up to 10,000. */
  states: Readonly<Record<string, number>>
  /** ms since the oldest one came into this state; 0: there is none. */
  oldest: Readonly<Record<string, number>>
}

const mostCounted = 10_000
/** States in which a run waits for somebody. */
const waitingStates = ['queued', 'awaiting_approval'] as const
/** ms. The figures are read at most this often, however many clients request the metrics. */
const freshFor = 5_000
/** Seconds: from a second to the longest time limit, a day. */
const sessionBuckets = [1, 5, 15, 60, 300, 900, 1800, 3600, 7200, 14_400, 43_200, 86_400]

export async function runFiguresOf(documents: Documents, clock: Clock): Promise<RunFigures> {
  const now = clock.now()
  const counts = activeRunStates.map(async (state) => {
    const count = await documents.count(runStateDocuments, { where: { state }, upTo: mostCounted })
    return [state, count] as const
  })
  const ages = waitingStates.map(async (state) => {
    const [oldest] = await documents.find(runStateDocuments, {
      where: { state },
      sort: [
        ['since', 'asc'],
        ['id', 'asc'],
      ],
      limit: 1,
      fields: ['since'],
    })
    return [state, oldest === undefined ? 0 : Math.max(0, now - Date.parse(oldest.since))] as const
  })
  // both at once: if the store is away, a promise that nobody awaits yet would end the process
  const [states, oldest] = await Promise.all([Promise.all(counts), Promise.all(ages)])
  return { states: Object.fromEntries(states), oldest: Object.fromEntries(oldest) }
}

/** Adds gauges. They are left out while they can't be read, because an old value would look correct. */
export function addRunGauges(registry: Registry, clock: Clock, read: () => Promise<RunFigures>): void {
  const runs = new Gauge({
    name: 'precedent_runs',
    help: 'Runs that have not ended, by state, counted up to 10,000.',
    labelNames: ['state'],
    registers: [registry],
  })
  const oldest = new Gauge({
    name: 'precedent_oldest_waiting_run_seconds',
    help: 'How long the oldest run waits for a worker (queued) or for a person (awaiting_approval), in seconds. 0: there is none.',
    labelNames: ['state'],
    registers: [registry],
  })
  const collect = atMostEvery(freshFor, clock, async () => {
    const found = await read().catch(() => undefined)
    runs.reset()
    oldest.reset()
    if (found === undefined) return
    for (const [state, count] of Object.entries(found.states)) runs.set({ state }, count)
    for (const [state, ms] of Object.entries(found.oldest)) oldest.set({ state }, ms / 1000)
  })
  for (const one of [runs, oldest]) (one as unknown as { collect: () => Promise<void> }).collect = collect
}

export function sessionWatch(registry: Registry): SessionWatch {
  const ended = new Histogram({
    name: 'precedent_session_seconds',
    help: 'Time from the start of a session to its end in seconds, by phase and outcome, in the worker that had it.',
    labelNames: ['phase', 'outcome'],
    buckets: sessionBuckets,
    registers: [registry],
  })
  const lost = new Counter({
    name: 'precedent_lost_sessions_total',
    help: 'Sessions whose worker was silent for too long, so that maintain took their run from it.',
    registers: [registry],
  })
  for (const phase of runPhases) for (const outcome of ['succeeded', 'failed']) ended.zero({ phase, outcome })
  lost.inc(0)
  return {
    ended: (phase, outcome, ms) => ended.observe({ phase, outcome }, ms / 1000),
    lost: () => lost.inc(),
  }
}
