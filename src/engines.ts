/** Opens the engine behind each port, as configured. Only this file, the adapters and the doctor know the engines. */
import { join } from 'node:path'
import type { Logger } from 'pino'
import { areShared, type Engines } from '../config/engines.ts'
import type { Config } from '../config/load.ts'
import type { RepositorySettings } from '../config/operator/repository-settings.ts'
import { gitVariables } from '../config/programs.ts'
import { inProcessQueue } from './adapters/in-process/queue.ts'
import { openSqlite, type Sqlite } from './adapters/sqlite/connection.ts'
import { sqliteDocuments } from './adapters/sqlite/documents.ts'
import { type DirectoryUse, lockDirectoryFor } from './adapters/sqlite/lock.ts'
import { sqliteSearch } from './adapters/sqlite/search.ts'
import { openServedSqlite } from './adapters/sqlite/threaded.ts'
import { systemClock } from './adapters/system-clock.ts'
import { webhookNotifier } from './adapters/webhook/notifier.ts'
import type { IndexingPorts } from './code/indexing/ports.ts'
import type { CodeSearch } from './code/stored/search-document.ts'
import { collections } from './collections.ts'
import type { Clock } from './ports/clock.ts'
import type { Documents } from './ports/documents.ts'
import type { Embedder } from './ports/embedder.ts'
import type { Judge } from './ports/judge.ts'
import type { Mirrors } from './ports/mirrors.ts'
import type { Notifier } from './ports/notifier.ts'
import type { Queue } from './ports/queue.ts'
import type { SearchEngine } from './ports/search.ts'
import { EngineUnavailable } from './ports/unavailable.ts'
import type { RunExecutor } from './runs/worker/ports.ts'

export { DirectoryInUse, type DirectoryUse, isClaimed } from './adapters/sqlite/lock.ts'

export interface Ports {
  documents: Documents
  queue: Queue
  search: SearchEngine
  clock: Clock
  /** Absent: no embedder is configured, and search matches words only. */
  embedder?: Embedder
  /** Absent: claims are compared by rules only. */
  judge?: Judge
  /** Absent: nobody is told of runs. */
  notifier?: Notifier
  /** Absent: the file of the operator names no executor, or this kind of process runs none. */
  sessions?: SessionPorts
  /** Absent: no repository is connected. */
  code?: CodePorts
  /** All workers run in the web process, so they can notify callers that wait for a receipt. */
  workersInProcess: boolean
  /** Concurrent jobs of one kind in a process. */
  jobsAtOnce: number
  /** Closes the engines. Call it after the service has stopped. */
  close(): Promise<void>
}

/** What a worker needs to have sessions on this machine. */
export interface SessionPorts {
  executors: readonly RunExecutor[]
  /** Ends what workers that died have left on this machine. `isBelieved`: true for sessions that it doesn't know. */
  endLeftovers(isBelieved: (session: string, hasGuard: boolean) => Promise<boolean>): Promise<void>
}

/** Nothing is opened or loaded before the first call of open(). close() of the ports closes it. */
export interface CodePorts {
  settings: RepositorySettings
  open(): Promise<IndexingPorts>
}

type Opened = Pick<Config, 'engines' | 'dataDir'> &
  Partial<Pick<Config, 'notify' | 'operator' | 'passed' | 'publicUrl'>>
type Close = () => Promise<void> | void

/** With servers, jobs mostly wait for answers. */
const jobsAtOnceOnServers = 4
/** On SQLite, jobs block each other. With two, a short job need not wait for a long one of another workspace. */
const jobsAtOnceOnSqlite = 2

/**
 * Throws EngineUnavailable if a required server does not answer; try again later. Locks the data directory until it is
 * closed, and throws if another process has locked it.
 */
export async function openPorts(
  config: Opened,
  log: Logger,
  clock: Clock = systemClock,
  use: DirectoryUse = 'alone',
): Promise<Ports> {
  const { engines } = config
  const closing: Close[] = []
  const close = async () => {
    for (const one of closing.splice(0).reverse()) await one()
  }
  try {
    const file = await openFile(config, use, closing)
    const documents = await openDocumentsOn(engines, file, collections, closing)
    const search = await openSearch(engines, file, closing, log)
    const queue = engines.redis ? await openBullmq(engines.redis, clock, log) : inProcessQueue(clock, log)
    const jobsAtOnce = engines.mongodb ? jobsAtOnceOnServers : jobsAtOnceOnSqlite
    const embedder = engines.embedder ? { embedder: await openEmbedder(engines.embedder) } : {}
    const judge = engines.judge ? { judge: await openJudge(engines.judge) } : {}
    const notifier = config.notify ? { notifier: webhookNotifier(config.notify, clock) } : {}
    const optional = {
      ...embedder,
      ...judge,
      ...notifier,
      ...(await openSessions(config, clock, closing)),
      ...codeOf(config, clock, log, closing),
    }
    return { documents, search, queue, clock, ...optional, workersInProcess: !areShared(engines), jobsAtOnce, close }
  } catch (error) {
    await close()
    throw error
  }
}

/** Opens only the documents. For commands that work on a store whose service may be running. */
export async function openDocuments({
  engines,
  dataDir,
}: Opened): Promise<Pick<Ports, 'documents' | 'clock' | 'close'>> {
  const closing: Close[] = []
  const close = async () => {
    for (const one of closing.splice(0).reverse()) await one()
  }
  try {
    const file = engines.mongodb ? undefined : openSqlite({ path: fileIn(dataDir) })
    if (file) closing.push(() => file.close())
    return { documents: await openDocumentsOn(engines, file, collections, closing), clock: systemClock, close }
  } catch (error) {
    await close()
    throw error
  }
}

/** The SQLite file. It contains everything that no other engine stores. */
export function fileIn(dataDir: string): string {
  return join(dataDir, 'precedent.sqlite')
}

async function openFile(
  { engines, dataDir }: Opened,
  use: DirectoryUse,
  closing: Close[],
): Promise<Sqlite | undefined> {
  if (areShared(engines)) return undefined
  try {
    const lock = await lockDirectoryFor(use, dataDir)
    closing.push(() => lock.release())
    const file = await openServedSqlite({ path: fileIn(dataDir) })
    closing.push(() => file.close())
    return file
  } catch (error) {
    // a server may come back by itself, a directory does not: do not retry
    throw error instanceof EngineUnavailable ? new Error(error.message, { cause: error }) : error
  }
}

async function openDocumentsOn(
  { mongodb }: Engines,
  file: Sqlite | undefined,
  stored: Parameters<Documents['declare']>[0],
  closing: Close[],
): Promise<Documents> {
  const documents = mongodb ? await openMongo(mongodb) : sqliteDocuments(file as Sqlite)
  closing.push(() => documents.close())
  await documents.declare(stored)
  return documents
}

async function openSearch(
  { elasticsearch }: Engines,
  file: Sqlite | undefined,
  closing: Close[],
  log: Logger,
): Promise<SearchEngine> {
  const search = elasticsearch ? await openElasticsearch(elasticsearch, log) : sqliteSearch(file as Sqlite)
  closing.push(() => search.close())
  return search
}

// load the clients of servers only if they are used: each costs memory and time at the start

async function openMongo(server: NonNullable<Engines['mongodb']>): Promise<Documents> {
  const { mongoDocuments } = await import('./adapters/mongodb/documents.ts')
  return mongoDocuments(server)
}

/** Does not wait for Redis: workers also poll. */
async function openBullmq(server: NonNullable<Engines['redis']>, clock: Clock, log: Logger): Promise<Queue> {
  const [{ bullmqQueue }, { assertDatabase }] = await Promise.all([
    import('./adapters/bullmq/queue.ts'),
    import('./adapters/bullmq/database.ts'),
  ])
  await assertDatabase(server.url)
  return bullmqQueue(server, clock, log)
}

async function openElasticsearch(
  { url, prefix, apiKey }: NonNullable<Engines['elasticsearch']>,
  log: Logger,
): Promise<SearchEngine> {
  const { elasticsearchSearch } = await import('./adapters/elasticsearch/search.ts')
  return elasticsearchSearch({ url, prefix, ...(apiKey === undefined ? {} : { apiKey }) }, log)
}

/** Does not call the endpoint yet: it may be unavailable, and nothing waits for it. */
async function openEmbedder(settings: NonNullable<Engines['embedder']>): Promise<Embedder> {
  const { openaiEmbedder } = await import('./adapters/openai/embedder.ts')
  return openaiEmbedder(settings)
}

/** Does not call the endpoint yet: nothing waits for it. */
async function openJudge(settings: NonNullable<Engines['judge']>): Promise<Judge> {
  const { openaiJudge } = await import('./adapters/openai/judge.ts')
  return openaiJudge(settings)
}

/** Starts nothing yet: a guard of processes begins with the first session. */
async function openSessions(
  { operator, passed = {}, publicUrl = '' }: Opened,
  clock: Clock,
  closing: Close[],
): Promise<{ sessions?: SessionPorts }> {
  if (operator === undefined || operator.executors.length === 0) return {}
  const [{ guardOfWorker }, { processExecutor }, { endLeftovers }, { httpExecutor }] = await Promise.all([
    import('./adapters/process/guard-of-worker.ts'),
    import('./adapters/process/executor.ts'),
    import('./adapters/process/leftovers.ts'),
    import('./adapters/http-executor/executor.ts'),
  ])
  const guard = guardOfWorker()
  closing.push(() => guard.close())
  const executors = operator.executors.map((settings): RunExecutor => {
    const { name, plans, repeatable, concurrency: capacity, timeLimitMs, scopes, type } = settings
    const executor =
      type === 'http'
        ? httpExecutor(settings, clock)
        : processExecutor(settings, { publicUrl, clock, variables: passed, guard })
    closing.push(() => executor.close())
    return { name, plans, repeatable, capacity, timeLimitMs, scopes, executor, needsResult: type === 'http' }
  })
  return { sessions: { executors, endLeftovers } }
}

function codeOf(config: Opened, clock: Clock, log: Logger, closing: Close[]): { code?: CodePorts } {
  const settings = config.operator?.repositories
  if (settings === undefined) return {}
  let opened: Promise<IndexingPorts> | undefined
  return {
    code: {
      settings,
      open() {
        // tried again after a failure: a server may come back
        opened ??= openCode(config, clock, log, closing).catch((error) => {
          opened = undefined
          throw error
        })
        return opened
      },
    },
  }
}

/** Code has stores of its own, so that indexing never delays other writes, and backups leave them out. */
async function openCode(
  { engines, dataDir }: Opened,
  clock: Clock,
  log: Logger,
  closing: Close[],
): Promise<IndexingPorts> {
  const [{ openCodeParser }, { codeCollections }] = await Promise.all([
    import('./adapters/code-parser/parser.ts'),
    import('./code/stored/store.ts'),
  ])
  const file = areShared(engines)
    ? undefined
    : await openServedSqlite({ path: join(dataDir, 'code.db'), isDisposable: true })
  if (file) closing.push(() => file.close())
  const documents = await openDocumentsOn(engines, file, codeCollections, closing)
  const search = await openSearch(engines, file, closing, log)
  const parser = openCodeParser()
  closing.push(() => parser.close())
  const mirrors = await openMirrors(dataDir)
  // engines store the kind of a document as any word
  return { documents, search: search as unknown as CodeSearch, mirrors, parser, clock }
}

/** The mirrors of connected repositories, in the data directory. */
export async function openMirrors(dataDir: string): Promise<Mirrors> {
  const { gitMirrors } = await import('./adapters/git/mirrors.ts')
  return gitMirrors({ root: join(dataDir, 'mirrors'), machine: gitVariables() })
}
