/** The composition root: builds the service from its ports. Only engines.ts knows the engines behind them. */
import type { Logger } from 'pino'
import type { Config } from '../config/load.ts'
import { type WorkerKind, workerKinds } from '../config/processes.ts'
import { authenticator } from './access/authenticate.ts'
import { openCursors } from './access/cursors.ts'
import { keysIn } from './access/keys.ts'
import { feedEpoch } from './access/settings.ts'
import { workspaceReader } from './access/workspaces.ts'
import { openVectors, type Vectors } from './embedding/vectors.ts'
import type { Ports } from './engines.ts'
import type { Api } from './http/base/api.ts'
import { rebuildsIn } from './indexing/ask-rebuild.ts'
import { indexWorkspace } from './indexing/index-entries.ts'
import { outdatedIndexes, type Trouble } from './indexing/lost-indexes.ts'
import { maintainIndexes, rebuildOutdated } from './indexing/maintain-indexes.ts'
import { firstIndex } from './journal/checkpoint.ts'
import { drain } from './journal/drain.ts'
import { assertIntact } from './journal/maintenance/intact.ts'
import { prune } from './journal/maintenance/prune.ts'
import { sweep } from './journal/maintenance/sweep.ts'
import { poller } from './journal/poll.ts'
import type { JournalPorts } from './journal/ports.ts'
import { backlogOf } from './metrics/backlog.ts'
import { createMetrics, type Metrics } from './metrics/metrics.ts'
import type { Reads } from './operation.ts'
import { operationsByName } from './operations.ts'
import { atMostEvery } from './ports/at-most-every.ts'
import { type Handler, type JobKind, jobKinds, type Queue } from './ports/queue.ts'
import { projections } from './projections.ts'
import { openCompareWorker } from './questions/compare/compare-worker.ts'
import { comparer } from './questions/compare/comparer.ts'
import { raiseQuestions } from './questions/raise/with-questions.ts'
import { readinessOf } from './readiness.ts'
import { accept, acceptMany, followNewest } from './receipts/accept.ts'
import { waiting } from './receipts/waiting.ts'
import { repeating } from './repeating.ts'
import { openStream, runQuery } from './run-query.ts'

export interface Service {
  api: Api
  /** Starts workers of these kinds; by default all. */
  work(kinds?: readonly WorkerKind[]): void
  /** Takes no more jobs and waits at most `deadline` ms for running ones. true: all have ended. */
  stop(deadline: number): Promise<boolean>
}

type Settings = Pick<Config, 'publicUrl' | 'journalRetentionDays' | 'receiptRetentionDays'>

/** ms. How often workers poll, in case a wake-up was lost, and how often maintain looks for stranded work. */
const pollEvery = 5_000
const compareEvery = 1_000
const embedEvery = 1_000
const sweepEvery = 5_000
const pruneEvery = 10 * 60_000
const lookForLostEvery = 60_000
/** /readyz looks for lost indexes at most this often (ms), and only in this many workspaces. */
const lostFreshFor = 30_000
/** ms. /readyz is public, and each check of the engines has a cost. */
const readinessFreshFor = 1_000
const lostAmong = 100

export async function createService(opened: Ports, settings: Settings, log: Logger): Promise<Service> {
  const metrics = createMetrics(opened.clock, log)
  const ports = metrics.countFailures(opened)
  const { documents, queue, search, clock } = ports
  await assertIntact(documents)
  await followNewest(ports)
  const workspaceOf = workspaceReader(documents)
  const epoch = await feedEpoch(documents, () => clock.id())
  const waiters = waiting(documents, clock, ports.workersInProcess)
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
    epoch: async () => epoch,
    ended: (ids) => waiters.ended(ids),
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
  })
  const reads: Reads = {
    documents,
    search,
    clock,
    cursors: await openCursors(documents, clock),
    waitForEnd: (receipt, ms) => waiters.untilEnded(receipt, ms),
    publicUrl: settings.publicUrl,
    ...(vectors ? { queryEmbedder: vectors.queryEmbedder } : {}),
  }
  const repeated = repeating(log)

  /** What the worker of each kind of job does. `looks` names its polling in the log. */
  const jobs: Record<JobKind, { looks: string; begin(): Handler }> = {
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
        const compare = comparer({ ...journal, compareWorker }, stopping.signal)
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
    readiness,
    metrics: metrics.text,
    answered: metrics.answered,
    releaseWaiting: () => waiters.close(),
    publicUrl: settings.publicUrl,
  }

  return {
    api,
    work(kinds = workerKinds) {
      // not awaited: the endpoint may be slow
      if (vectors) repeated.every(embedEvery, 'trying the embedder', async () => void vectors.queryEmbedder.look())
      for (const kind of jobKinds) {
        if (!kinds.includes(kind)) continue
        const { begin, looks } = jobs[kind]
        const handler = begin()
        queue.process(kind, ports.jobsAtOnce, handler)
        repeated.every(pollEvery, looks, poller(journal, kind, handler, stopping.signal))
      }
      if (kinds.includes('maintain')) {
        const retention = { journalDays: settings.journalRetentionDays, receiptDays: settings.receiptRetentionDays }
        repeated.every(sweepEvery, 'waking stranded work', () => sweep(journal))
        repeated.every(pruneEvery, 'pruning', () => prune(journal, retention))
        repeated.every(sweepEvery, 'rebuilding indexes', () => maintainIndexes(journal, stopping.signal))
        repeated.every(lookForLostEvery, 'looking for outdated indexes', () =>
          rebuildOutdated(journal, stopping.signal),
        )
      }
    },
    async stop(deadline) {
      stopping.abort()
      waiters.close()
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

/**
 * Drops wake-ups once the service is stopping. Otherwise its own workers would take the jobs; other processes find them
 * by polling.
 */
function addsUntil(stopping: AbortSignal, queue: Queue): Queue {
  return { ...queue, add: async (kind, job) => (stopping.aborted ? undefined : queue.add(kind, job)) }
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

const indexIssues: Record<Trouble, string> = {
  lost: 'search: the index of a workspace is missing or outdated; maintain rebuilds it',
  older:
    'search: the index of a workspace is of an older version, which serves until maintain has filled one of this version',
  newer:
    'search: the index of a workspace is of a newer version of the service; searches wait until maintain has filled one of this version',
}

type Counts = Record<Trouble, number>

/** How many of the first workspaces have an index that this version can't use. */
function outdatedCounts(ports: Ports, epoch: string): () => Promise<Counts> {
  const look = async () => {
    const counts: Counts = { lost: 0, older: 0, newer: 0 }
    for await (const { trouble } of outdatedIndexes(ports, epoch, lostAmong)) counts[trouble] += 1
    return counts
  }
  return atMostEvery(lostFreshFor, ports.clock, look)
}

/** For /readyz. */
async function indexIssuesOf(outdated: () => Promise<Counts>): Promise<string[]> {
  // /readyz reports an unavailable engine separately
  const counts = await outdated().catch(() => undefined)
  if (counts === undefined) return []
  return (Object.keys(indexIssues) as Trouble[]).flatMap((trouble) => (counts[trouble] > 0 ? indexIssues[trouble] : []))
}
