/** The composition root: builds the service from its ports. Only engines.ts knows the engines behind them. */
import { hostname } from 'node:os'
import type { Logger } from 'pino'
import type { Config } from '../config/load.ts'
import { type WorkerKind, workerKinds } from '../config/processes.ts'
import { authenticator } from './access/authenticate.ts'
import { openCursors } from './access/cursors.ts'
import { keysIn } from './access/keys.ts'
import { feedEpoch } from './access/settings.ts'
import { workspaceReader } from './access/workspaces.ts'
import { repositoryFiguresOf } from './code/operating/figures.ts'
import { operatedRepositories } from './code/operating/operated.ts'
import { openVectors, type Vectors } from './embedding/vectors.ts'
import type { Ports } from './engines.ts'
import type { Api } from './http/base/api.ts'
import { rebuildsIn } from './indexing/ask-rebuild.ts'
import { indexWorkspace } from './indexing/index-entries.ts'
import { indexIssuesOf, outdatedCounts } from './indexing/issues.ts'
import { firstIndex } from './journal/checkpoint.ts'
import { drain } from './journal/drain.ts'
import { assertIntact } from './journal/maintenance/intact.ts'
import { poller } from './journal/poll.ts'
import type { JournalPorts } from './journal/ports.ts'
import { maintain } from './maintain.ts'
import { backlogOf } from './metrics/backlog.ts'
import { createMetrics, type Metrics } from './metrics/metrics.ts'
import { runFiguresOf } from './metrics/runs.ts'
import type { Reads } from './operation.ts'
import { operationsByName } from './operations.ts'
import { atMostEvery } from './ports/at-most-every.ts'
import { addsUntil, type Handler, type JobKind } from './ports/queue.ts'
import { projections } from './projections.ts'
import { judgeAsker } from './questions/compare/ask-judge.ts'
import { openCompareWorker } from './questions/compare/compare-worker.ts'
import { comparer } from './questions/compare/comparer.ts'
import { raiseQuestions } from './questions/raise/with-questions.ts'
import { readinessOf } from './readiness.ts'
import { accept, acceptMany, followNewest } from './receipts/accept.ts'
import { waiting } from './receipts/waiting.ts'
import { repeating } from './repeating.ts'
import { openStream, runQuery } from './run-query.ts'
import { runRulesOf } from './runs/deciding/rules.ts'
import { runWatching } from './runs/watching/watching.ts'
import { forgetAllRunners } from './runs/worker/publish-runner.ts'
import { type RunWork, workOnRuns } from './runs/worker/work.ts'

export interface Service {
  api: Api
  /** Starts workers of these kinds; by default all. */
  work(kinds?: readonly WorkerKind[]): void
  /**
   * Begins no more sessions of runs, and gives those there are `deadline` ms to end. Call it while the API still serves:
   * sessions use it.
   */
  endSessions(deadline: number): Promise<void>
  /** Takes no more jobs and waits at most `deadline` ms for running ones. true: all have ended. */
  stop(deadline: number): Promise<boolean>
}

type Settings = Pick<
  Config,
  | 'publicUrl'
  | 'journalRetentionDays'
  | 'receiptRetentionDays'
  | 'approvalDays'
  | 'runsPerWorkspace'
  | 'notify'
  | 'operator'
>

/** Kinds of jobs that have a handler here. */
const workedKinds = ['apply', 'index'] as const satisfies JobKind[]
type WorkedKind = (typeof workedKinds)[number]

/** ms. How often workers poll, in case a wake-up was lost. */
const pollEvery = 5_000
const compareEvery = 1_000
const embedEvery = 1_000
/** ms. How soon a hook or a request of an operator is followed. */
const requestsEvery = 2_000
/** ms. /readyz is public, and each check of the engines has a cost. */
const readinessFreshFor = 1_000

export async function createService(opened: Ports, settings: Settings, log: Logger): Promise<Service> {
  const metrics = createMetrics(opened.clock, log)
  const ports = metrics.countFailures(opened)
  const { documents, queue, search, clock } = ports
  await assertIntact(documents)
  await followNewest(ports)
  if (ports.workersInProcess) await forgetAllRunners(documents)
  const { approvalDays, runsPerWorkspace } = settings
  const workspaceOf = workspaceReader(documents)
  const epoch = await feedEpoch(documents, () => clock.id())
  const waiters = waiting(documents, clock, ports.workersInProcess)
  const runs = runWatching(documents, clock)
  const issues = new Map<string, string>()
  const stopping = new AbortController()
  const compareWorker = openCompareWorker()
  const journal: JournalPorts = {
    documents,
    queue: addsUntil(stopping.signal, queue),
    search,
    clock,
    log,
    operations: operationsByName,
    projections,
    raiseQuestions,
    workspaceType: async (id) => (await workspaceOf(id))?.type ?? 'company',
    runRules: runRulesOf(documents, clock, { approvalDays, runsPerWorkspace, notifies: settings.notify !== undefined }),
    epoch: async () => epoch,
    ended: (ids) => waiters.ended(ids),
    runsChanged: (ids) => runs.changed(ids),
    reportIssue: (key, message) => void (message === undefined ? issues.delete(key) : issues.set(key, message)),
    watch: metrics.watch,
  }
  const vectors = await vectorsOf(ports, metrics, log, stopping.signal)
  const outdated = outdatedCounts(ports, epoch)
  const allIssues = async () => [...(await indexIssuesOf(outdated)), ...issues.values()]
  const readiness = atMostEvery(readinessFreshFor, clock, readinessOf(ports, vectors, log, allIssues))
  metrics.registerGauges({
    backlog: () => backlogOf(documents, clock),
    queued: () => queue.counts(),
    health: async () => (await readiness()).engines,
    outdatedIndexes: outdated,
    runs: () => runFiguresOf(documents, clock),
  })
  const codeReads = ports.code && { connected: ports.code.settings.connected, open: ports.code.open }
  const watchIndexing = codeReads && metrics.repositories(() => repositoryFiguresOf(codeReads, clock))
  const reads: Reads = {
    documents,
    search,
    clock,
    cursors: await openCursors(documents, clock),
    waitForEnd: (receipt, ms) => waiters.untilEnded(receipt, ms),
    runRules: journal.runRules,
    runs,
    publicUrl: settings.publicUrl,
    ...(vectors ? { queryEmbedder: vectors.queryEmbedder } : {}),
    ...(codeReads ? { code: codeReads } : {}),
  }
  const repeated = repeating(log)

  /** What the worker of each kind of job does. `looks` names its polling in the log. */
  const jobs: Record<WorkedKind, { looks: string; begin(): Handler }> = {
    apply: {
      looks: 'looking for receipts to apply',
      begin: () => (job, turn) => drain(journal, job, turn),
    },
    index: {
      looks: 'looking for entries to index',
      begin: () => {
        // Elasticsearch may take seconds for its first index, and the first write would wait for it. If this fails, the
        // first write creates the index
        search.create(firstIndex).catch(() => {})
        const { judge } = ports
        const watch = judge && metrics.judge()
        const judging = watch && {
          askJudge: judgeAsker({ documents, clock, log, judge, watch, stopping: stopping.signal }),
        }
        const compare = comparer({ ...journal, compareWorker, ...judging }, stopping.signal)
        repeated.every(compareEvery, 'comparing claims', compare.look)
        if (vectors) repeated.every(embedEvery, 'embedding records', vectors.give)
        return async (job, turn) => {
          await indexWorkspace(journal, job, stopping.signal, turn)
          compare.wake(job.workspace)
          vectors?.wake(job.workspace)
        }
      },
    },
  }

  const api: Api = {
    accept: (call) => accept(journal, call),
    acceptMany: (calls) => acceptMany(journal, calls),
    waitForEnd: (receipt, ms) => waiters.untilEnded(receipt, ms),
    query: (query, actor, input) => runQuery(reads, query, actor, input),
    openStream: (stream, actor, input, signal) => openStream(reads, stream, actor, input, signal),
    authenticate: authenticator(documents, clock, (error) =>
      log.warn({ err: error }, 'could not store last use of a key'),
    ),
    keys: keysIn(documents, clock),
    rebuilds: rebuildsIn(documents, clock),
    repositories: operatedRepositories(codeReads, clock),
    readiness,
    metrics: metrics.text,
    answered: metrics.answered,
    releaseWaiting() {
      waiters.close()
      runs.close()
    },
    publicUrl: settings.publicUrl,
  }

  let runWork: RunWork | undefined

  return {
    api,
    work(kinds = workerKinds) {
      // not awaited: the endpoint may be slow
      if (vectors) repeated.every(embedEvery, 'trying the embedder', async () => void vectors.queryEmbedder.look())
      for (const kind of workedKinds) {
        if (!kinds.includes(kind)) continue
        const { begin, looks } = jobs[kind]
        const handler = begin()
        queue.process(kind, ports.jobsAtOnce, handler)
        repeated.every(pollEvery, looks, poller(journal, kind, handler, stopping.signal))
      }
      // without executors, a run worker costs nothing
      if (kinds.includes('run') && ports.sessions) {
        const { policy } = settings.operator
        const given = { ...journal, ...ports.sessions, reads, policy, holder: clock.id(), host: hostname() }
        const work = workOnRuns(given, repeated.every)
        queue.process('run', 1, () => work.look())
        runWork = work
      }
      const { code } = ports
      if (kinds.includes('code') && code) {
        repeated.every(code.settings.pollMs, 'indexing repositories', async () => {
          // without a connected repository, none of it is loaded
          const { lookAtRepositories } = await import('./code/indexing/work.ts')
          await lookAtRepositories(code.settings, await code.open(), log, stopping.signal, watchIndexing)
        })
        repeated.every(requestsEvery, 'looking for requested fetches', async () => {
          const { lookAtRequests } = await import('./code/indexing/requested.ts')
          const looking = { log, watch: watchIndexing ?? (() => {}), signal: stopping.signal }
          await lookAtRequests(code.settings, await code.open(), looking)
        })
      }
      if (kinds.includes('maintain')) {
        const count = ports.notifier ? { count: metrics.notices() } : {}
        maintain({ ...journal, notifier: ports.notifier, ...count }, settings, repeated.every, stopping.signal)
      }
    },
    async endSessions(deadline) {
      await runWork?.stop(deadline)
    },
    async stop(deadline) {
      stopping.abort()
      waiters.close()
      runs.close()
      const idle = repeated
        .stop()
        .then(() => compareWorker.close())
        .then(() => true)
      const late = clock.sleep(deadline).then(() => false)
      const ended = await Promise.all([queue.close(deadline), Promise.race([idle, late])])
      return ended.every(Boolean)
    },
  }
}

async function vectorsOf(
  ports: Ports,
  metrics: Metrics,
  log: Logger,
  stopping: AbortSignal,
): Promise<Vectors | undefined> {
  const { embedder } = ports
  if (embedder === undefined) return undefined
  const watch = metrics.vectors(() => vectors.gap())
  const vectors = await openVectors({ ...ports, embedder, log }, watch, stopping)
  return vectors
}
