/** Opens the engine behind each port, as configured. Only this file, src/engines, the adapters and the doctor know the engines. */
import type { Logger } from 'pino'
import { areShared, type Engines } from '../config/engines.ts'
import { inProcessQueue } from './adapters/in-process/queue.ts'
import { openSqlite } from './adapters/sqlite/connection.ts'
import type { DirectoryUse } from './adapters/sqlite/lock.ts'
import { systemClock } from './adapters/system-clock.ts'
import { webhookNotifier } from './adapters/webhook/notifier.ts'
import { collections } from './collections.ts'
import { type CodePorts, codeOf } from './engines/code.ts'
import { closable, type Opened } from './engines/opening.ts'
import { openSessions, type SessionPorts } from './engines/sessions.ts'
import { fileIn, openDocumentsOn, openFile, openSearch } from './engines/stores.ts'
import type { Clock } from './ports/clock.ts'
import type { Documents } from './ports/documents.ts'
import type { Embedder } from './ports/embedder.ts'
import type { Judge } from './ports/judge.ts'
import type { Notifier } from './ports/notifier.ts'
import type { Queue } from './ports/queue.ts'
import type { SearchEngine } from './ports/search.ts'

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
  return closable(async (closing) => {
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
    return { documents, search, queue, clock, ...optional, workersInProcess: !areShared(engines), jobsAtOnce }
  })
}

/** Opens only the documents. For commands that work on a store whose service may be running. */
export async function openDocuments({
  engines,
  dataDir,
}: Opened): Promise<Pick<Ports, 'documents' | 'clock' | 'close'>> {
  return closable(async (closing) => {
    const file = engines.mongodb ? undefined : openSqlite({ path: fileIn(dataDir) })
    if (file) closing.push(() => file.close())
    return { documents: await openDocumentsOn(engines, file, collections, closing), clock: systemClock }
  })
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
