/** The composition root: configuration → ports → service. Nothing else knows which engine stands behind a port. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Logger } from 'pino'
import type { Config } from '../config/load.ts'
import { authenticator } from './access/authenticate.ts'
import { openCursors } from './access/cursors.ts'
import { keysIn } from './access/keys.ts'
import { feedEpoch } from './access/settings.ts'
import { workspaceReader } from './access/workspaces.ts'
import { inProcessQueue } from './adapters/in-process/queue.ts'
import { openSqlite } from './adapters/sqlite/connection.ts'
import { sqliteDocuments } from './adapters/sqlite/documents.ts'
import { lockDirectory } from './adapters/sqlite/lock.ts'
import { sqliteSearch } from './adapters/sqlite/search.ts'
import { systemClock } from './adapters/system-clock.ts'
import { collections } from './collections.ts'
import type { Readiness, Served } from './http/served.ts'
import { drain } from './journal/drain.ts'
import { indexWorkspace } from './journal/indexing.ts'
import type { JournalPorts } from './journal/ports.ts'
import { prune } from './journal/prune.ts'
import { sweep } from './journal/sweep.ts'
import type { Reads } from './operation.ts'
import { operationsByName } from './operations.ts'
import type { Clock } from './ports/clock.ts'
import type { Documents } from './ports/documents.ts'
import type { Queue } from './ports/queue.ts'
import type { SearchEngine } from './ports/search.ts'
import { accept, acceptMany } from './receipts/accept.ts'
import { waiting } from './receipts/waiting.ts'
import { runQuery } from './run-query.ts'

export interface Ports {
  documents: Documents
  queue: Queue
  search: SearchEngine
  clock: Clock
  /** All workers run in the process of the web: who waits for a receipt is told. */
  told: boolean
  /** After the service has stopped. */
  close(): Promise<void>
}

export interface Service {
  served: Served
  /** Begins to apply, index and maintain. */
  work(): void
  /** Takes no more jobs and waits for those under way, at most `deadline` ms. true: all had ended. */
  stop(deadline: number): Promise<boolean>
}

/** Opens the engines that the configuration names. Holds the data directory until closed. */
export async function openPorts(config: Config, log: Logger, clock: Clock = systemClock): Promise<Ports> {
  mkdirSync(config.dataDir, { recursive: true })
  const lock = lockDirectory(config.dataDir)
  const sqlite = openSqlite({ path: join(config.dataDir, 'precedent.sqlite') })
  const documents = sqliteDocuments(sqlite)
  const search = sqliteSearch(sqlite)
  await documents.declare(collections)
  return {
    documents,
    search,
    queue: inProcessQueue(clock, log),
    clock,
    told: true,
    async close() {
      await search.close()
      await documents.close()
      sqlite.close()
      lock.release()
    },
  }
}

type Settings = Pick<Config, 'publicUrl' | 'journalRetentionDays' | 'receiptRetentionDays'>

/** maintain looks for what is stranded this often, in ms. */
const sweepEvery = 5_000
const pruneEvery = 10 * 60_000

export async function createService(ports: Ports, settings: Settings, log: Logger): Promise<Service> {
  const { documents, queue, search, clock } = ports
  const workspaceOf = workspaceReader(documents)
  const epoch = await feedEpoch(documents, () => clock.id())
  const waiters = waiting(documents, clock, ports.told)
  const concerns = new Map<string, string>()
  const journal: JournalPorts = {
    documents,
    queue,
    search,
    clock,
    log,
    operations: operationsByName,
    workspaceType: async (id) => (await workspaceOf(id))?.type ?? 'company',
    epoch: async () => epoch,
    ended: (ids) => waiters.ended(ids),
    concern: (key, message) => void (message === undefined ? concerns.delete(key) : concerns.set(key, message)),
  }
  const reads: Reads = {
    documents,
    search,
    clock,
    cursors: await openCursors(documents, clock),
    waitForEnd: (receipt, ms) => waiters.untilEnded(receipt, ms),
    publicUrl: settings.publicUrl,
  }
  const timers: NodeJS.Timeout[] = []

  const served: Served = {
    accept: (call) => accept(journal, call),
    acceptMany: (calls) => acceptMany(journal, calls),
    waitForEnd: (receipt, ms) => waiters.untilEnded(receipt, ms),
    query: (query, actor, input) => runQuery(reads, query, actor, input),
    authenticate: authenticator(documents, clock, (error) => log.warn({ err: error }, 'last use of a key not noted')),
    keys: keysIn(documents, clock),
    readiness: () => readinessOf(ports, [...concerns.values()]),
    releaseWaiting: () => waiters.close(),
    publicUrl: settings.publicUrl,
  }

  return {
    served,
    work() {
      queue.process('apply', 1, (job) => drain(journal, job))
      queue.process('index', 1, (job) => indexWorkspace(journal, job))
      const maintain = (every: number, work: () => Promise<unknown>) => {
        let running = false
        const once = async () => {
          if (running) return
          running = true
          await work()
            .catch((error: unknown) => log.error({ err: error }, 'maintaining failed; it is tried again'))
            .finally(() => (running = false))
        }
        void once()
        timers.push(setInterval(once, every))
      }
      maintain(sweepEvery, () => sweep(journal))
      maintain(pruneEvery, () =>
        prune(journal, { journalDays: settings.journalRetentionDays, receiptDays: settings.receiptRetentionDays }),
      )
    },
    async stop(deadline) {
      for (const timer of timers) clearInterval(timer)
      waiters.close()
      return queue.close(deadline)
    },
  }
}

async function readinessOf({ documents, queue, search }: Ports, concerns: string[]): Promise<Readiness> {
  const [store, jobs, index] = await Promise.all([documents.health(), queue.health(), search.health()])
  const engines = { documents: store ?? null, queue: jobs ?? null, search: index ?? null }
  const wrong = Object.entries(engines).flatMap(([name, what]) => (what === null ? [] : [`${name}: ${what}`]))
  return { ready: store === undefined, engines, problems: [...wrong, ...concerns] }
}
