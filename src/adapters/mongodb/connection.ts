/** One MongoDB deployment: how its answers are awaited, and what its failures become. */
import { type Collection, MongoClient, type MongoClientOptions } from 'mongodb'
import { EngineUnavailable } from '../../ports/unavailable.ts'
import { failureOf } from './failure.ts'
import type { Stored } from './stored.ts'

export interface Mongo {
  collection(name: string): Collection<Stored>
  /**
   * What `operation` resolves with. Rejects with EngineUnavailable when the server is away, refuses or has not answered
   * within `deadline` ms (a write may have happened then); with the error itself where what was asked was wrong.
   */
  run<T>(operation: () => Promise<T>, deadline?: number): Promise<T>
  close(): Promise<void>
}

/** ms. A caller waits no longer for one operation; an election of a primary takes less. */
const answersWithin = 10_000
/** Building an index of a large collection takes as long as it takes. */
export const indexesWithin = 6 * 60 * 60_000
const closesWithin = 3_000

/** Connects. Throws EngineUnavailable when no server answers, and what the driver says of a URL that is none. */
export function openMongo(url: string, database: string | undefined): Promise<Mongo> {
  return connect(url, database, { ...options, socketTimeoutMS: answersWithin }, answersWithin)
}

/** A connection that waits for the building of indexes; for use at start alone. */
export function openPatiently(url: string, database: string | undefined): Promise<Mongo> {
  return connect(url, database, { ...options, maxPoolSize: 4, socketTimeoutMS: 0 }, indexesWithin)
}

// what a URL says otherwise of these is overruled: without them a write that was acknowledged could be lost
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
  // how soon a server that went away is seen to be back
  heartbeatFrequencyMS: 2_000,
  waitQueueTimeoutMS: 8_000,
  maxPoolSize: 50,
}

async function connect(
  url: string,
  database: string | undefined,
  how: MongoClientOptions,
  patience: number,
): Promise<Mongo> {
  const client = new MongoClient(url, how)
  let closed = false

  async function run<T>(operation: () => Promise<T>, deadline = patience): Promise<T> {
    if (closed) throw new EngineUnavailable('mongodb', 'closed', undefined, 'closed')
    try {
      return await within(operation(), deadline)
    } catch (error) {
      throw failureOf(error)
    }
  }

  async function close(): Promise<void> {
    closed = true
    // a server that is away is not waited for: the process ends
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
  // race listens to both: an answer that comes too late is no unhandled rejection
  return Promise.race([answer, late]).finally(() => clearTimeout(timer))
}
