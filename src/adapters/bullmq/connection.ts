/**
 * Two kinds of connections to Redis. One adds jobs and reads counts; it fails at once if the server is unreachable. The
 * other serves workers; it waits until the server is back.
 */
import { Redis } from 'ioredis'
import { backOff } from '../../ports/back-off.ts'
import { EngineUnavailable, type Trouble } from '../../ports/unavailable.ts'
import { isOfDatabase, wrongDatabase } from './database.ts'

export interface BullmqSettings {
  /** redis:// or rediss://, with user, password and database number if there are any. */
  url: string
  /** Begins all keys. Services that share a Redis must have different prefixes. */
  prefix: string
}

export interface ProducerConnection {
  redis: Redis
  /**
   * Resolves with the result of `command`. Rejects with EngineUnavailable: at once if Redis is unreachable, and within 2 s
   * if it does not answer.
   */
  run<T>(command: () => Promise<T>): Promise<T>
}

export interface WorkerConnection {
  redis: Redis
  /** Closes this connection and all its duplicates, so that none of them keeps the process alive. */
  disconnect(): void
}

/** ms */
const answersWithin = 2_000
const silentAtMost = 10_000

const pauseOf = (attempt: number) => backOff(attempt, { first: 100, longest: 2_000 })

/** Connects with the first command. */
export function connectProducer(url: string): ProducerConnection {
  const redis = new Redis(url, {
    lazyConnect: true,
    // a command that cannot be sent fails at once: jobs may be lost, so a caller must not wait for one to be added
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    commandTimeout: answersWithin,
    connectTimeout: answersWithin,
    retryStrategy: pauseOf,
  })
  let lastError: Error | undefined
  let refusal: Error | undefined
  let first: Promise<void> | undefined
  redis.on('connect', () => (refusal = undefined))
  redis.on('error', (error: Error) => {
    lastError = error
    if (isOfDatabase(error)) refusal = error
  })

  return {
    redis,
    async run(command) {
      // wait only for the first connection
      if (redis.status === 'wait') first = redis.connect()
      if (redis.status !== 'ready') await first?.catch((error: Error) => (lastError ??= error))
      if (redis.status !== 'ready') throw unreachable(lastError, redis.status)
      // the connection goes on with database 0, which may be another service's
      if (refusal !== undefined) throw new EngineUnavailable('redis', wrongDatabase(url, refusal), refusal, 'failing')
      try {
        return await command()
      } catch (error) {
        throw new EngineUnavailable('redis', reasonOf(error as Error), error, troubleOf(error as Error))
      }
    },
  }
}

/** Commands wait while Redis is unreachable. `onLost` and `onBack` are called once for each outage. */
export function connectWorkers(url: string, onLost: (error: Error) => void, onBack: () => void): WorkerConnection {
  const redis = new Redis(url, { maxRetriesPerRequest: null, connectTimeout: 5_000, retryStrategy: pauseOf })
  const all: Redis[] = []
  let isLost = false
  let ending = false

  function keep(one: Redis): Redis {
    all.push(one)
    one.on('ready', () => {
      if (ending) one.disconnect()
    })
    // without a listener, an error would end the process
    one.on('error', () => {})
    return one
  }

  keep(redis)
  redis.on('ready', () => {
    if (isLost) onBack()
    isLost = false
  })
  redis.on('error', (error: Error) => {
    if (!isLost) onLost(error)
    isLost = true
  })
  // BullMQ duplicates the connection for the blocking reads of each worker, and cannot close a duplicate that is not
  // connected
  const duplicate = redis.duplicate.bind(redis)
  redis.duplicate = (...how) => keep(duplicate(...how))
  const beat = reconnectIfSilent(redis)

  return {
    redis,
    disconnect() {
      ending = true
      clearInterval(beat)
      for (const one of all) {
        one.disconnect()
        // BullMQ waits for the event `end`, which ioredis does not emit between two attempts: make one more attempt
        if (one.status === 'reconnecting') one.connect().catch(() => {})
      }
    },
  }
}

/** Reconnects if the other end has vanished without closing the connection. */
function reconnectIfSilent(redis: Redis): NodeJS.Timeout {
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

/**
 * Each worker has a connection of its own for blocking reads, which may report its loss before the shared one does. Only
 * errors of sockets have a code.
 */
export function isLostConnection(error: Error): boolean {
  return 'code' in error || error.message === 'Connection is closed.'
}

function unreachable(error: Error | undefined, status: string): EngineUnavailable {
  const reason = error === undefined ? status : reasonOf(error)
  return new EngineUnavailable('redis', `unreachable: ${reason}`, error, error && troubleOf(error))
}

/** By error code. Each error of Redis begins with its code. Other errors are about the connection. */
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
  return troubles[error.message.split(' ', 1)[0] as string] ?? 'unreachable'
}

function reasonOf(error: Error): string {
  // if a host name has several addresses and all of them refuse, the message is in the first error
  const [first] = (error as AggregateError).errors ?? []
  return error.message || (first as Error | undefined)?.message || error.name
}
