/** Connections to Redis: one that adds and asks and never waits for a server that is away, and one that works. */
import { Redis } from 'ioredis'
import { EngineUnavailable, type Trouble } from '../../ports/unavailable.ts'

export interface Asking {
  redis: Redis
  /** What `command` resolves with; EngineUnavailable at once where Redis is away, within 2 s where it does not answer. */
  ask<T>(command: () => Promise<T>): Promise<T>
}

export interface Working {
  redis: Redis
  /** Of this one and of all that were copied from it: nothing of them keeps the process alive afterwards. */
  disconnect(): void
}

/** ms */
const answersWithin = 2_000
const longestPause = 2_000
const silentAtMost = 10_000

const pauseOf = (attempt: number) => Math.min(longestPause, 50 * 2 ** Math.min(attempt, 10))

/** Connects with the first command. */
export function askingRedis(url: string): Asking {
  const redis = new Redis(url, {
    lazyConnect: true,
    // a command that cannot be sent now fails now: the wake-up is best effort, and its caller must not wait
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
    async ask(command) {
      // only the first connection is waited for
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

/** Commands wait for as long as Redis is away: a worker has nothing better to do. `goneAway` hears of it once a time. */
export function workingRedis(url: string, goneAway: (error: Error) => void): Working {
  const redis = new Redis(url, { maxRetriesPerRequest: null, connectTimeout: 5_000, retryStrategy: pauseOf })
  const all: Redis[] = []
  let away = false
  let ending = false

  function keep(one: Redis): Redis {
    all.push(one)
    one.on('ready', () => {
      if (ending) one.disconnect()
    })
    // unheard, an error of a connection would end the process
    one.on('error', () => {})
    return one
  }

  keep(redis)
  redis.on('ready', () => (away = false))
  redis.on('error', (error: Error) => {
    if (!away) goneAway(error)
    away = true
  })
  // BullMQ makes a copy for each worker's blocking read, and has no way to end one that is not connected
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
        // between two attempts it would never say that it has ended, and BullMQ waits for that: so one attempt more
        if (one.status === 'reconnecting') one.connect().catch(() => {})
      }
    },
  }
}

/** A connection whose other end vanished without a word is closed, so that it is made anew. */
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

/** By the code that begins each error of Redis's own (its protocol says so); all others are of the connection. */
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
  // several addresses of one name, each refused: the message is in the first
  const [first] = (error as AggregateError).errors ?? []
  return error.message || (first as Error | undefined)?.message || error.name
}
