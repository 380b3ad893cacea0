/** What the workers of a process do: with the jobs of the queue, and every few seconds without one. */
import { hostname } from 'node:os'
import { type WorkerKind, workerKinds } from '../config/processes.ts'
import type { Vectors } from './embedding/vectors.ts'
import type { Ports } from './engines.ts'
import { indexWorkspace } from './indexing/index-entries.ts'
import { firstIndex } from './journal/checkpoint.ts'
import { drain } from './journal/drain.ts'
import { poller } from './journal/poll.ts'
import type { JournalPorts } from './journal/ports.ts'
import { type MaintainSettings, maintain } from './maintain.ts'
import type { Metrics } from './metrics/metrics.ts'
import type { Reads } from './operation.ts'
import type { Handler, JobKind } from './ports/queue.ts'
import { judgeAsker } from './questions/compare/ask-judge.ts'
import { openCompareWorker } from './questions/compare/compare-worker.ts'
import { comparer } from './questions/compare/comparer.ts'
import { type Repeating, repeating } from './repeating.ts'
import { type RunWork, workOnRuns } from './runs/worker/work.ts'

/** What the parts of a service that answer requests share with its workers. */
export interface Working {
  ports: Ports
  journal: JournalPorts
  reads: Reads
  settings: MaintainSettings
  metrics: Metrics
  /** Absent: no embedder is configured. */
  vectors: Vectors | undefined
  /** Absent: no repository is connected. */
  watchIndexing: ReturnType<Metrics['repositories']> | undefined
  /** Aborted when the service stops. */
  stopping: AbortSignal
}

export interface Workers {
  /** Starts workers of these kinds; by default all. */
  start(kinds?: readonly WorkerKind[]): void
  /** Begins no more sessions of runs, and gives those there are `deadline` ms to end. */
  endSessions(deadline: number): Promise<void>
  /** Takes no more jobs and waits at most `deadline` ms for running ones. true: all have ended. */
  stop(deadline: number): Promise<boolean>
}

/** Kinds of jobs that have a handler here. */
const workedKinds = ['apply', 'index'] as const satisfies JobKind[]

interface Work {
  /** Names its polling in the log. */
  looks: string
  begin(): Handler
}

/** ms. How often workers poll, in case a wake-up was lost. */
const pollEvery = 5_000
const compareEvery = 1_000
const embedEvery = 1_000
/** ms. How soon a hook or a request of an operator is followed. */
const requestsEvery = 2_000

/** Starts nothing before start(). */
export function workersOf(working: Working): Workers {
  const { ports, journal, settings, vectors, stopping } = working
  const { queue, clock } = ports
  const repeated = repeating(journal.log)
  const compareWorker = openCompareWorker()
  const works: Record<(typeof workedKinds)[number], Work> = {
    apply: {
      looks: 'looking for receipts to apply',
      begin: () => async (job, turn) => {
        // a start of a run that was accepted before a restart would fail if no executor were known yet
        await runWork?.announced
        return drain(journal, job, turn)
      },
    },
    index: {
      looks: 'looking for entries to index',
      begin: beginIndexing,
    },
  }
  let runWork: RunWork | undefined

  return {
    start(kinds = workerKinds) {
      // not awaited: the endpoint may be slow
      if (vectors) repeated.every(embedEvery, 'trying the embedder', async () => void vectors.queryEmbedder.look())
      if (kinds.includes('run')) beginRuns()
      for (const kind of workedKinds) {
        if (!kinds.includes(kind)) continue
        const { begin, looks } = works[kind]
        const handler = begin()
        queue.process(kind, ports.jobsAtOnce, handler)
        repeated.every(pollEvery, looks, poller(journal, kind, handler, stopping))
      }
      if (kinds.includes('code')) repeatIndexingOfCode(working, repeated.every)
      if (kinds.includes('maintain')) {
        const count = ports.notifier ? { count: working.metrics.notices() } : {}
        maintain({ ...journal, notifier: ports.notifier, ...count }, settings, repeated.every, stopping)
      }
    },
    async endSessions(deadline) {
      await runWork?.stop(deadline)
    },
    async stop(deadline) {
      const idle = repeated
        .stop()
        .then(() => compareWorker.close())
        .then(() => true)
      const late = clock.sleep(deadline).then(() => false)
      const ended = await Promise.all([queue.close(deadline), Promise.race([idle, late])])
      return ended.every(Boolean)
    },
  }

  function beginIndexing(): Handler {
    // Elasticsearch may take seconds for its first index, and the first write would wait for it. If this fails, the
    // first write creates the index
    ports.search.create(firstIndex).catch(() => {})
    const compare = comparer({ ...journal, compareWorker, ...judging(working) }, stopping)
    repeated.every(compareEvery, 'comparing claims', compare.look)
    if (vectors) repeated.every(embedEvery, 'embedding records', vectors.give)
    return async (job, turn) => {
      await indexWorkspace(journal, job, stopping, turn)
      compare.wake(job.workspace)
      vectors?.wake(job.workspace)
    }
  }

  /** Without executors, a run worker costs nothing. */
  function beginRuns(): void {
    if (!ports.sessions) return
    const { policy } = settings.operator
    const given = { ...journal, ...ports.sessions, reads: working.reads, policy, holder: clock.id(), host: hostname() }
    const work = workOnRuns(given, repeated.every)
    queue.process('run', 1, () => work.look())
    runWork = work
  }
}

function judging({ ports, journal, metrics, stopping }: Working): { askJudge?: ReturnType<typeof judgeAsker> } {
  const { judge } = ports
  return judge ? { askJudge: judgeAsker({ ...journal, judge, watch: metrics.judge(), stopping }) } : {}
}

/** Without a connected repository, none of its code is loaded. */
function repeatIndexingOfCode({ ports, journal, watchIndexing, stopping }: Working, every: Repeating['every']): void {
  const { code } = ports
  if (!code) return
  every(code.settings.pollMs, 'indexing repositories', async () => {
    const { lookAtRepositories } = await import('./code/indexing/work.ts')
    await lookAtRepositories(code.settings, await code.open(), journal.log, stopping, watchIndexing)
  })
  every(requestsEvery, 'looking for requested fetches', async () => {
    const { lookAtRequests } = await import('./code/indexing/requested.ts')
    const looking = { log: journal.log, watch: watchIndexing ?? (() => {}), signal: stopping }
    await lookAtRequests(code.settings, await code.open(), looking)
  })
}
