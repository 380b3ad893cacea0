/** Opens the engines that the configuration names, one behind each port. Beside the adapters nothing else knows which. */
import { join } from 'node:path'
import type { Logger } from 'pino'
import { areShared, type Engines } from '../config/engines.ts'
import type { Config } from '../config/load.ts'
import { inProcessQueue } from './adapters/in-process/queue.ts'
import { openSqlite, type Sqlite } from './adapters/sqlite/connection.ts'
import { sqliteDocuments } from './adapters/sqlite/documents.ts'
import { lockDirectory } from './adapters/sqlite/lock.ts'
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

export interface Ports {
  documents: Documents
  queue: Queue
  search: SearchEngine
  clock: Clock
  /** Left out: there is none, and search is by words alone. */
  embedder?: Embedder
  /** All workers run in the web process, and notify callers that wait for a receipt. */
  workersInProcess: boolean
  /** Jobs of one kind that a process runs at a time. */
  jobsAtOnce: number
  /** After the service has stopped. */
  close(): Promise<void>
}

type Opened = Pick<Config, 'engines' | 'dataDir'>
type Close = () => Promise<void> | void

/** Jobs wait for servers most of their time. */
const jobsAtOnceOnServers = 4
/** On SQLite they wait for each other, but a short job need not wait for the end of another workspace's long one. */
const jobsAtOnceOnSqlite = 2

/**
 * Throws EngineUnavailable where a server that is needed at once does not answer: try again. What lies in the data
 * directory is locked until closed; it throws where another process has it.
 */
export async function openPorts(config: Opened, log: Logger, clock: Clock = systemClock): Promise<Ports> {
  const { engines } = config
  const closing: Close[] = []
  const close = async () => {
    for (const one of closing.splice(0).reverse()) await one()
  }
  try {
    const file = await openFile(config, closing)
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

/** The documents alone, beside a service that may be running: for commands that mend a store. */
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

/** The one file of all that is on SQLite. */
export function fileIn(dataDir: string): string {
  return join(dataDir, 'precedent.sqlite')
}

async function openFile({ engines, dataDir }: Opened, closing: Close[]): Promise<Sqlite | undefined> {
  if (areShared(engines)) return undefined
  try {
    const lock = lockDirectory(dataDir)
    closing.push(() => lock.release())
    const file = await openServedSqlite({ path: fileIn(dataDir) })
    closing.push(() => file.close())
    return file
  } catch (error) {
    // a server comes back by itself, a directory does not
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

// the clients of servers are loaded only where they are used: each takes its share of memory and of the start

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

/** Asks the endpoint nothing yet: it may be away, and nothing waits for it. */
async function openEmbedder(settings: NonNullable<Engines['embedder']>): Promise<Embedder> {
  const { openaiEmbedder } = await import('./adapters/openai/embedder.ts')
  return openaiEmbedder(settings)
}
