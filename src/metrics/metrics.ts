/**
 * The metrics of the service for /metrics (docs/operations.md explains each), and the log lines of workers about
 * entries.
 */

import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { RepositoryFigures } from '../code/operating/figures.ts'
import type { VectorGap } from '../embedding/vector-gap.ts'
import type { VectorWatch } from '../embedding/vectors.ts'
import type { Entry } from '../journal/entry.ts'
import type { Watch } from '../journal/ports.ts'
import { atMostEvery } from '../ports/at-most-every.ts'
import { type Clock, madeAt } from '../ports/clock.ts'
import type { JudgeWatch } from '../questions/compare/ask-judge.ts'
import type { Pending } from '../receipt.ts'
import type { NoticeOutcome } from '../runs/notices/send.ts'
import type { Backlog } from './backlog.ts'
import { countFailures, type Engines } from './engines.ts'
import { judgeWatch } from './judge.ts'
import { noticeCounter } from './notices.ts'
import { addRepositoryGauges, indexingWatch } from './repositories.ts'
import { addRunGauges, type RunFigures, sessionWatch } from './runs.ts'
import { addGapGauges, vectorWatch } from './vectors.ts'

export interface Metrics {
  /** The text format of Prometheus, version 0.0.4. */
  text(): Promise<string>
  /** Returns the same ports, and counts their failures. */
  countFailures<P extends Engines>(ports: P): P
  /** Observes an answered request. */
  answered(method: string, path: string, status: number, seconds: number, tool?: string): void
  watch: Watch
  /** Adds the metrics of vectors. Called only if there is an embedder. */
  vectors(gap: () => Promise<VectorGap>): VectorWatch
  /** Adds the metrics of the judge. Called only if there is one. */
  judge(): JudgeWatch
  /** Adds the metrics of repositories. Called only if any is connected. */
  repositories(read: () => Promise<RepositoryFigures>): (outcome: string, ms: number) => void
  /** Adds the metric of notices. Called only by processes that send them. */
  notices(): (outcome: NoticeOutcome) => void
  /** Adds gauges that are read when /metrics is requested, at most once in 5 s. */
  registerGauges(state: State): void
}

export interface State {
  backlog(): Promise<Backlog>
  queued(): Promise<Record<string, { waiting: number; active: number }>>
  /** The problem of the engine behind each port; null if there is none. */
  health(): Promise<Record<string, string | null>>
  /** Workspaces whose search index this version can't use, by trouble. */
  outdatedIndexes(): Promise<Record<string, number>>
  runs(): Promise<RunFigures>
}

export interface WatchLog {
  info(fields: object, message: string): void
}

/** Seconds. */
const requestBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]
const receiptBuckets = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 90, 300, 3600]
/** ms. Gauges are read at most this often, however many clients request the metrics. */
const freshFor = 5_000

export function createMetrics(clock: Clock, log: WatchLog): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const answered = requestsIn(registry)
  const failures = new Counter({
    name: 'precedent_engine_failures_total',
    help: 'Failed calls of an engine: it was unreachable, full, read-only or too slow.',
    labelNames: ['engine'],
    registers: [registry],
  })
  return {
    text: () => registry.metrics(),
    countFailures: (ports) => countFailures(ports, (engine) => failures.inc({ engine })),
    answered,
    watch: { ...watchIn(registry, clock, log), sessions: sessionWatch(registry) },
    vectors(gap) {
      addGapGauges(registry, gap)
      return vectorWatch(registry, failures)
    },
    judge: () => judgeWatch(registry, failures),
    repositories(read) {
      addRepositoryGauges(registry, clock, read)
      return indexingWatch(registry)
    },
    notices: () => noticeCounter(registry),
    registerGauges(state) {
      addGauges(registry, clock, state)
      addRunGauges(registry, clock, state.runs)
    },
  }
}

function requestsIn(registry: Registry): Metrics['answered'] {
  const seconds = new Histogram({
    name: 'precedent_request_seconds',
    help: 'Time from a request to its answer in seconds, by method, route (none: no route matched), class of status, and tool (of MCP).',
    labelNames: ['method', 'route', 'status', 'tool'],
    buckets: requestBuckets,
    registers: [registry],
  })
  return (method, route, status, took, tool) => {
    const labels = { method, route, status: `${Math.floor(status / 100)}xx` }
    seconds.observe(tool === undefined ? labels : { ...labels, tool }, took)
  }
}

function watchIn(registry: Registry, clock: Clock, log: WatchLog): Watch {
  const ended = new Histogram({
    name: 'precedent_operation_seconds',
    help: 'Time from accepting a write to the end of its receipt in seconds, by operation and outcome.',
    labelNames: ['operation', 'outcome'],
    buckets: receiptBuckets,
    registers: [registry],
  })
  const entries = new Counter({
    name: 'precedent_entries_total',
    help: 'Entries that this process has appended to journals.',
    registers: [registry],
  })
  const changes = new Counter({
    name: 'precedent_changes_total',
    help: 'Changes of records in the entries that this process has appended.',
    registers: [registry],
  })
  const reduced = new Counter({
    name: 'precedent_documents_reduced_total',
    help: 'Documents that the search engine refused. Only the beginning of their text is indexed, or nothing.',
    registers: [registry],
  })
  const uncompared = new Counter({
    name: 'precedent_uncompared_records_total',
    help: 'Records that could not be compared with others: no question was asked about two of them.',
    registers: [registry],
  })
  return {
    decided(entry, batch) {
      entries.inc()
      changes.inc(entry.records.length)
      const receipts = new Map(batch.map((receipt) => [receipt.id, receipt]))
      for (const { receipt: id, state } of entry.receipts) {
        // an applied receipt ends later, when the search index shows its record
        const receipt = state === 'applied' ? undefined : receipts.get(id)
        if (receipt) ended.observe({ operation: receipt.operation, outcome: state }, (clock.now() - madeAt(id)) / 1000)
      }
      for (const line of linesOf(entry, receipts)) log.info(line, 'entry appended')
    },
    applied(workspace, number, receipts) {
      const now = clock.now()
      for (const { id, operation } of receipts) {
        ended.observe({ operation, outcome: 'applied' }, (now - madeAt(id)) / 1000)
      }
      for (const some of partsOf(receipts)) {
        log.info({ workspace, entry: number, ...tracesOf(some) }, 'receipts applied')
      }
    },
    reduced: (documents) => reduced.inc(documents),
    uncompared: () => uncompared.inc(),
  }
}

function linesOf({ workspace, number, ...entry }: Entry, receipts: ReadonlyMap<string, Pending>): object[] {
  const decided = entry.receipts.flatMap(({ receipt }) => receipts.get(receipt) ?? [])
  const changes = entry.records.length
  return partsOf(decided).map((some) => ({ workspace, entry: number, changes, ...tracesOf(some) }))
}

/** Receipts of one log line. With their traces they take 1.5 kB; a line has at most 2 KB. */
const receiptsOfLine = 20

/** Parts of at most `receiptsOfLine` receipts. At least one part, so that each entry has a log line. */
function partsOf<T>(receipts: readonly T[]): T[][] {
  const parts = Math.max(1, Math.ceil(receipts.length / receiptsOfLine))
  return Array.from({ length: parts }, (_, at) => receipts.slice(at * receiptsOfLine, (at + 1) * receiptsOfLine))
}

/** The distinct traces: all receipts of a batch have the same. */
function tracesOf(receipts: readonly { id: string; trace: string | null }[]) {
  const traces = new Set(receipts.map(({ trace }) => trace))
  traces.delete(null)
  return { traces: [...traces], receipts: receipts.map(({ id }) => id) }
}

function addGauges(registry: Registry, clock: Clock, state: State): void {
  const gauge = (name: string, help: string, labelNames: string[] = []) =>
    new Gauge({ name: `precedent_${name}`, help, labelNames, registers: [registry] })
  const oldest = gauge(
    'oldest_open_receipt_seconds',
    'Age of the oldest receipt that has not ended, in seconds. 0: there is none.',
    ['lane'],
  )
  const open = gauge('open_workspaces', 'Workspaces with a receipt that has not ended.')
  const lag = gauge(
    'journal_lag_entries',
    'Journal entries that a stage has not processed yet: in the workspace that is furthest behind (most), and in all workspaces (sum).',
    ['stage', 'over'],
  )
  const complete = gauge(
    'backlog_complete',
    '1: all workspaces with open receipts were counted. 0: there are too many, and the backlog is larger than shown.',
  )
  const depth = gauge('queue_jobs', 'Queue jobs that wait or run. One job may stand for many receipts.', [
    'kind',
    'state',
  ])
  const well = gauge('engine_well', '1: the engine behind the port has no problem. 0: see problems in /readyz.', [
    'port',
  ])
  const outdated = gauge(
    'outdated_indexes',
    'Workspaces, of the first 100, whose search index is lost, or complete only in an older or newer version of the service.',
    ['trouble'],
  )
  // a value that cannot be read is left out, because an old value would look correct
  const all = [oldest, open, lag, complete, depth, well, outdated]

  const read = async () => {
    const [backlog, queued, health, indexes] = await Promise.allSettled([
      state.backlog(),
      state.queued(),
      state.health(),
      state.outdatedIndexes(),
    ])
    for (const one of all) one.reset()
    for (const one of [open, complete]) one.remove()
    if (backlog.status === 'fulfilled') {
      for (const [lane, ms] of Object.entries(backlog.value.oldest)) oldest.set({ lane }, ms / 1000)
      open.set(backlog.value.workspaces)
      complete.set(backlog.value.complete ? 1 : 0)
      for (const [stage, { most, sum }] of Object.entries(backlog.value.lag)) {
        lag.set({ stage, over: 'most' }, most)
        lag.set({ stage, over: 'sum' }, sum)
      }
    }
    if (queued.status === 'fulfilled') {
      for (const [kind, jobs] of Object.entries(queued.value)) {
        depth.set({ kind, state: 'waiting' }, jobs.waiting)
        depth.set({ kind, state: 'active' }, jobs.active)
      }
    }
    if (indexes.status === 'fulfilled') {
      for (const [trouble, count] of Object.entries(indexes.value)) outdated.set({ trouble }, count)
    }
    if (health.status === 'fulfilled') {
      for (const [port, wrong] of Object.entries(health.value)) well.set({ port }, wrong === null ? 1 : 0)
    }
  }

  const collect = atMostEvery(freshFor, clock, read)
  for (const one of all) (one as unknown as { collect: () => Promise<void> }).collect = collect
}
