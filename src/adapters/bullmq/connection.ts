/** Two connections to Redis: commands fail at once if Redis is away; workers wait until it is back. */
import { Redis } from 'ioredis'
import { EngineUnavailable, type Trouble } from '../../ports/unavailable.ts'

export interface CommandConnection {
  redis: Redis
  /** Runs a command. Throws EngineUnavailable at once if Redis is away, and after 2 s if it does not answer. */
  run<T>(command: () => Promise<T>): Promise<T>
}

export interface WorkerConnection {
  redis: Redis
  /** Closes this connection and all its duplicates, so that they don't keep the process alive. */
  disconnect(): void
}

/** ms */
const answersWithin = 2_000
const longestPause = 2_000
const silentAtMost = 10_000

const pauseOf = (attempt: number) => Math.min(longestPause, 50 * 2 ** Math.min(attempt, 10))

/** Connects at the first command. */
export function openCommandConnection(url: string): CommandConnection {
  const redis = new Redis(url, {
    lazyConnect: true,
    // fail at once if Redis is away: a wake-up is best effort, and its caller must not wait
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    commandTimeout: answersWithin,
    connectTimeout: answersWithin,
    retryStrategy: pauseOf,
  })
  let lastError: Error | undefined
  let first: Promise<void> | undefined
  redis.on('error', (error: Error) => (lastError = error))

  return {
    redis,
    async run(command) {
      // wait only for the first connection
      if (redis.status === 'wait') first = redis.connect()
      if (redis.status !== 'ready') await first?.catch((error: Error) => (lastError ??= error))
      if (redis.status !== 'ready') throw awayBy(lastError, redis.status)
      try {
        return await command()
      } catch (error) {
        throw new EngineUnavailable('redis', reasonOf(error as Error), error, troubleOf(error as Error))
      }
    },
  }
}

/** Commands wait while Redis is away, because a worker has nothing else to do. `goneAway` is called once per outage. */
export function openWorkerConnection(url: string, goneAway: (error: Error) => void): WorkerConnection {
  const redis = new Redis(url, { maxRetriesPerRequest: null, connectTimeout: 5_000, retryStrategy: pauseOf })
  const all: Redis[] = []
  let away = false
  let ending = false

  function keep(one: Redis): Redis {
    all.push(one)
    one.on('ready', () => {
      if (ending) one.disconnect()
    })
    // an 'error' event without a listener would end the process
    one.on('error', () => {})
    return one
  }

  keep(redis)
  redis.on('ready', () => (away = false))
  redis.on('error', (error: Error) => {
    if (!away) goneAway(error)
    away = true
  })
  // BullMQ duplicates the connection for each worker's blocking read, but can't close a duplicate that is not connected
  const duplicate = redis.duplicate.bind(redis)
  redis.duplicate = (...how) => keep(duplicate(...how))
  const beat = keepAwake(redis)

  return {
    redis,
    disconnect() {
      ending = true
      clearInterval(beat)
      for (const one of all) {
        one.disconnect()
        // BullMQ waits for the connection to end, but between two attempts it never does: so start one more attempt
        if (one.status === 'reconnecting') one.connect().catch(() => {})
      }
    },
  }
}

/** Closes a connection that no longer answers, so that a new one is opened. */
function keepAwake(redis: Redis): NodeJS.Timeout {
  let answered = true
  const beat = setInterval(() => {
    if (redis.status !== 'ready') return
    if (!answered) redis.disconnect(true)
    answered = false
    redis.ping().then(
      () => (answered = true),
      () => {},
    )
  }, silentAtMost)
  return beat.unref()
}

function awayBy(error: Error | undefined, status: string): EngineUnavailable {
  const reason = error === undefined ? status : reasonOf(error)
  return new EngineUnavailable('redis', `away: ${reason}`, error, error && troubleOf(error))
}

/** By the code at the start of Redis's own errors. All other errors come from the connection. */
const troubles: Readonly<Record<string, Trouble>> = {
  NOAUTH: 'refused',
  WRONGPASS: 'refused',
  NOPERM: 'forbidden',
  OOM: 'full',
  READONLY: 'read_only',
  LOADING: 'busy',
  MISCONF: 'failing',
}

function troubleOf(error: Error): Trouble {
  return troubles[error.message.split(' ', 1)[0] as string] ?? 'away'
}

function reasonOf(error: Error): string {
  // a name with several addresses that all failed: the message is in the first error
  const [first] = (error as AggregateError).errors ?? []
  return error.message || (first as Error | undefined)?.message || error.name
}
