/** A connection to Elasticsearch, with deadlines and retries. */
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from '@elastic/elasticsearch'
import { backOff } from '../../ports/back-off.ts'
import { failureOf, isConnectionError, isTemporary, refusalIn, unavailable } from './failure.ts'

export interface ElasticsearchSettings {
  /** http:// or https://, with user and password if there are any. */
  url: string
  apiKey?: string | undefined
}

export interface Elastic {
  client: Client
  /**
   * Runs `request`, which must pass on its options. A temporary refusal is retried until the deadline. Rejects with
   * EngineUnavailable if the server is unreachable, refuses or does not answer; a write may have happened then. Rejects
   * with another error if the request was wrong.
   */
  ask<T>(request: (options: RequestOptions) => Promise<T>, deadline?: Deadline): Promise<T>
  /** Waits before the next attempt, after this many attempts. Throws EngineUnavailable once closed. */
  pause(attempts: number): Promise<void>
  close(): Promise<void>
}

export interface RequestOptions {
  signal: AbortSignal
}

/** The end of the time that a caller waits, for one or more requests. */
export interface Deadline {
  ms: number
  signal: AbortSignal
}

/** ms. */
const answersWithin = 8_000
const closesWithin = 3_000
/** Attempts of one request, or of one item of a bulk. With their pauses they take about three seconds. */
export const attemptsAtMost = 6
/**
 * Attempts after a connection error. One retry helps if a connection was lost by chance; more do not help if the
 * server is down.
 */
const connectionsAtMost = 2
/** ms. */
const pauses = { first: 100, longest: 2_000 }
const connections = 50

export function deadlineIn(ms: number): Deadline {
  return { ms, signal: AbortSignal.timeout(ms) }
}

/** Connects with the first request. */
export function openElastic({ url, apiKey }: ElasticsearchSettings): Elastic {
  const client = new Client({
    node: url,
    ...(apiKey === undefined ? {} : { auth: { apiKey } }),
    // ask() retries instead: the client does not retry after a 429, and does not know the deadline
    maxRetries: 0,
    // never reached: the deadline ends a request earlier
    requestTimeout: 10 * answersWithin,
    agent: { connections },
  })
  const closing = new AbortController()
  const closedError = () => unavailable('closed', 'closed')

  async function pause(attempts: number): Promise<void> {
    await sleep(backOff(attempts, pauses), undefined, { signal: closing.signal }).catch(() => {
      throw closedError()
    })
  }

  async function ask<T>(request: (options: RequestOptions) => Promise<T>, deadline?: Deadline): Promise<T> {
    const { ms, signal } = deadline ?? deadlineIn(answersWithin)
    let refused: unknown
    for (let attempts = 1; ; attempts++) {
      if (closing.signal.aborted) throw closedError()
      try {
        return await request({ signal })
      } catch (error) {
        if (refusalIn(error) !== undefined) refused = error
        // an earlier refusal tells the operator more than the timeout
        if (signal.aborted)
          throw refused === undefined ? unavailable(`no answer within ${ms} ms`, 'busy') : failureOf(refused)
        if (attempts >= mostAttempts(error)) throw failureOf(error)
      }
      await pause(attempts)
    }
  }

  return {
    client,
    ask,
    pause,
    async close() {
      closing.abort()
      // close() waits for open requests, but not for ever
      await Promise.race([client.close(), sleep(closesWithin, undefined, { ref: false })])
    },
  }
}

function mostAttempts(error: unknown): number {
  if (isConnectionError(error)) return connectionsAtMost
  const refusal = refusalIn(error)
  return refusal !== undefined && isTemporary(refusal) ? attemptsAtMost : 1
}
