/** A connection to one MongoDB deployment: its options, deadlines and errors. */
import { type Collection, MongoClient, type MongoClientOptions } from 'mongodb'
import { EngineUnavailable } from '../../ports/unavailable.ts'
import { failureOf } from './failure.ts'
import type { Stored } from './stored.ts'

export interface Mongo {
  collection(name: string): Collection<Stored>
  /**
   * Runs `operation`. Rejects with EngineUnavailable if the server is unreachable, refuses, or has not answered within
   * `deadline` ms; a write may have happened then. Rejects with the error itself if the call was wrong.
   */
  run<T>(operation: () => Promise<T>, deadline?: number): Promise<T>
  close(): Promise<void>
}

/** ms that a caller waits for one operation. The election of a primary takes less. */
const answersWithin = 10_000
/** ms. Building an index of a large collection may take hours. */
export const indexesWithin = 6 * 60 * 60_000
const closesWithin = 3_000

/** Connects. Throws EngineUnavailable if no server answers, or the driver's error if the URL is malformed. */
export function openMongo(url: string, database: string | undefined): Promise<Mongo> {
  return connect(url, database, { ...options, socketTimeoutMS: answersWithin }, answersWithin)
}

/** A connection that waits until indexes are built. Used only at the start. */
export function openForIndexes(url: string, database: string | undefined): Promise<Mongo> {
  return connect(url, database, { ...options, maxPoolSize: 4, socketTimeoutMS: 0 }, indexesWithin)
}

// these override the options of the URL: without them, an acknowledged write could be lost
const durable: MongoClientOptions = {
  writeConcern: { w: 'majority', journal: true, wtimeoutMS: 8_000 },
  readConcern: { level: 'majority' },
  readPreference: 'primary',
}

const options: MongoClientOptions = {
  ...durable,
  appName: 'precedent',
  serverSelectionTimeoutMS: 5_000,
  connectTimeoutMS: 5_000,
  // ms after which a server that has come back is noticed
  heartbeatFrequencyMS: 2_000,
  waitQueueTimeoutMS: 8_000,
  maxPoolSize: 50,
}

async function connect(
  url: string,
  database: string | undefined,
  clientOptions: MongoClientOptions,
  defaultDeadline: number,
): Promise<Mongo> {
  const client = clientOf(url, clientOptions)
  let closed = false
  /** Why no server of the deployment can be reached. */
  let unreachable: Error | undefined
  client.on('topologyDescriptionChanged', ({ newDescription }) => {
    const servers = [...newDescription.servers.values()]
    const errors = servers.flatMap(({ type, error }) => (type === 'Unknown' && error ? [error] : []))
    unreachable = errors.length === servers.length ? errors[0] : undefined
  })

  async function run<T>(operation: () => Promise<T>, deadline = defaultDeadline): Promise<T> {
    if (closed) throw new EngineUnavailable('mongodb', 'closed', undefined, 'closed')
    try {
      return await within(operation(), deadline)
    } catch (error) {
      const isLate = error instanceof EngineUnavailable && error.trouble === 'busy'
      throw failureOf(
        isLate && unreachable ? new EngineUnavailable('mongodb', unreachable.message, unreachable) : error,
      )
    }
  }

  async function close(): Promise<void> {
    closed = true
    // the process must end even if the server does not answer
    await within(client.close(), closesWithin).catch(() => {})
  }

  try {
    await run(() => client.connect())
  } catch (error) {
    await close()
    throw error
  }
  const db = client.db(database ?? nameIn(url) ?? 'precedent')
  return { collection: (name) => db.collection<Stored>(name), run, close }
}

/** Throws an error for the operator, who may have copied the URL from somewhere. */
export function clientOf(url: string, options: MongoClientOptions): MongoClient {
  try {
    return new MongoClient(url, options)
  } catch (error) {
    const remedy = 'Look at its options; in a user or password, write @ as %40, : as %3A and / as %2F.'
    throw new Error(`MONGODB_URL is not valid: ${(error as Error).message}. ${remedy}`, { cause: error })
  }
}

/** The name of the database in a URL, which may list many hosts. */
export function nameIn(url: string): string | undefined {
  const name = /^mongodb(?:\+srv)?:\/\/[^/?]+\/([^?]+)/.exec(url)?.[1]
  return name === undefined ? undefined : decodeURIComponent(name)
}

async function within<T>(answer: Promise<T>, ms: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    const isLate = () => reject(new EngineUnavailable('mongodb', `no answer within ${ms} ms`, undefined, 'busy'))
    timer = setTimeout(isLate, ms)
  })
  // race() handles both promises, so a late rejection is not unhandled
  return Promise.race([answer, late]).finally(() => clearTimeout(timer))
}
