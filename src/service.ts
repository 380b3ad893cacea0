/** The composition root: builds the service from its ports. Only engines.ts knows the engines behind them. */
import type { Logger } from 'pino'
import type { Config } from '../config/load.ts'
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
import { indexIssuesOf, outdatedCounts } from './indexing/issues.ts'
import { assertIntact } from './journal/maintenance/intact.ts'
import type { JournalPorts } from './journal/ports.ts'
import { backlogOf } from './metrics/backlog.ts'
import { createMetrics, type Metrics } from './metrics/metrics.ts'
import { runFiguresOf } from './metrics/runs.ts'
import type { Reads } from './operation.ts'
import { operationsByName } from './operations.ts'
import { atMostEvery } from './ports/at-most-every.ts'
import { addsUntil } from './ports/queue.ts'
import { projections } from './projections.ts'
import { raiseQuestions } from './questions/raise/with-questions.ts'
import { readinessOf } from './readiness.ts'
import { accept, acceptMany, followNewest } from './receipts/accept.ts'
import { waiting } from './receipts/waiting.ts'
import { openStream, runQuery } from './run-query.ts'
import { runRulesOf } from './runs/deciding/rules.ts'
import { runWatching } from './runs/watching/watching.ts'
import { forgetAllRunners } from './runs/worker/publish-runner.ts'
import { type Workers, workersOf } from './work.ts'

export interface Service {
  api: Api
  work: Workers['start']
  /** Call it while the API still serves: sessions use it. */
  endSessions: Workers['endSessions']
  stop: Workers['stop']
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

  const workers = workersOf({
    ports,
    journal,
    reads,
    settings,
    metrics,
    vectors,
    watchIndexing,
    stopping: stopping.signal,
  })

  return {
    api,
    work: workers.start,
    endSessions: workers.endSessions,
    stop(deadline) {
      stopping.abort()
      waiters.close()
      runs.close()
      return workers.stop(deadline)
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
