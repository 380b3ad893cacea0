/** Opens the engine behind each port, as configured. Only this file, the adapters and the doctor know the engines. */
import { join } from 'node:path'
import type { Logger } from 'pino'
import { areShared, type Engines } from '../config/engines.ts'
import type { Config } from '../config/load.ts'
import { inProcessQueue } from './adapters/in-process/queue.ts'
import { openSqlite, type Sqlite } from './adapters/sqlite/connection.ts'
import { sqliteDocuments } from './adapters/sqlite/documents.ts'
import { type DirectoryUse, lockDirectoryFor } from './adapters/sqlite/lock.ts'
import { sqliteSearch } from './adapters/sqlite/search.ts'
import { openServedSqlite } from './adapters/sqlite/threaded.ts'
import { systemClock } from './adapters/system-clock.ts'
import { collections } from './collections.ts'
import type { Clock } from './ports/clock.ts'
import type { Documents } from './ports/documents.ts'
import type { Embedder } from './ports/embedder.ts'
import type { Queue } from './ports/queue.ts'
import type { SearchEngine } from './ports/search.ts'
import { EngineUnavailable } from './ports/unavailable.ts'

export { DirectoryInUse, type DirectoryUse, isClaimed } from './adapters/sqlite/lock.ts'

export interface Ports {
  documents: Documents
  queue: Queue
  search: SearchEngine
  clock: Clock
  /** Absent: no embedder is configured, and search matches words only. */
  embedder?: Embedder
  /** All workers run in the web process, so they can notify callers that wait for a receipt. */
  workersInProcess: boolean
  /** Concurrent jobs of one kind in a process. */
  jobsAtOnce: number
  /** Closes the engines. Call it after the service has stopped. */
  close(): Promise<void>
}

type Opened = Pick<Config, 'engines' | 'dataDir'>
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
    const documents = await openDocumentsOn(engines, file, closing)
    const search = await openSearch(engines, file, closing, log)
    const queue = engines.redis ? await openBullmq(engines.redis, clock, log) : inProcessQueue(clock, log)
    const jobsAtOnce = engines.mongodb ? jobsAtOnceOnServers : jobsAtOnceOnSqlite
    const embedder = engines.embedder ? { embedder: await openEmbedder(engines.embedder) } : {}
    return { documents, search, queue, clock, ...embedder, workersInProcess: !areShared(engines), jobsAtOnce, close }
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
    return { documents: await openDocumentsOn(engines, file, closing), clock: systemClock, close }
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

async function openDocumentsOn({ mongodb }: Engines, file: Sqlite | undefined, closing: Close[]): Promise<Documents> {
  const documents = mongodb ? await openMongo(mongodb) : sqliteDocuments(file as Sqlite)
  closing.push(() => documents.close())
  await documents.declare(collections)
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

async function openBullmq(server: NonNullable<Engines['redis']>, clock: Clock, log: Logger): Promise<Queue> {
  const { bullmqQueue } = await import('./adapters/bullmq/queue.ts')
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
