/** One Elasticsearch: how its answers are awaited, and what is tried again. */
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from '@elastic/elasticsearch'
import { failureOf, isBrokenOff, isPassing, refusalIn, unavailable } from './failure.ts'

export interface ElasticsearchSettings {
  /** http:// or https://, with user and password where there are any. */
  url: string
  apiKey?: string | undefined
}

export interface Elastic {
  client: Client
  /**
   * What `request` resolves with; it hands on the options it is given. A refusal that may pass is tried again until
   * the deadline. Rejects with EngineUnavailable when the server is away, refuses or does not answer (a write may have
   * happened then); with another error where what was asked was wrong.
   */
  ask<T>(request: (options: RequestOptions) => Promise<T>, deadline?: Deadline): Promise<T>
  /** Waits before the attempt after so many. Throws EngineUnavailable once closed. */
  backOff(attempts: number): Promise<void>
  close(): Promise<void>
}

export interface RequestOptions {
  signal: AbortSignal
}

/** Until when a caller waits, for one request or several. */
export interface Deadline {
  ms: number
  signal: AbortSignal
}

/** ms */
const answersWithin = 8_000
const closesWithin = 3_000
/** Of one request, and of one item of a bulk: with the pauses between them some three seconds. */
export const attemptsAtMost = 6
/** A server that refuses connections is away: only what broke off by chance is worth another attempt. */
const connectionsAtMost = 2
const firstPause = 100
const longestPause = 2_000
const connections = 50

export function deadlineIn(ms: number): Deadline {
  return { ms, signal: AbortSignal.timeout(ms) }
}

/** Connects with the first request. */
export function openElastic({ url, apiKey }: ElasticsearchSettings): Elastic {
  const client = new Client({
    node: url,
    ...(apiKey === undefined ? {} : { auth: { apiKey } }),
    // ask() does it: the client does not try again after a 429, nor know of a caller's deadline
    maxRetries: 0,
    // never reached: the deadline ends a request
    requestTimeout: 10 * answersWithin,
    agent: { connections },
  })
  const closing = new AbortController()
  const away = () => unavailable('closed', 'closed')

  async function backOff(attempts: number): Promise<void> {
    // others that were refused at the same moment must not all come again at the same moment
    const pause = Math.min(longestPause, firstPause * 2 ** (attempts - 1)) * (0.75 + Math.random() / 2)
    await sleep(pause, undefined, { signal: closing.signal }).catch(() => {
      throw away()
    })
  }

  async function ask<T>(request: (options: RequestOptions) => Promise<T>, deadline?: Deadline): Promise<T> {
    const { ms, signal } = deadline ?? deadlineIn(answersWithin)
    let refused: unknown
    for (let attempts = 1; ; attempts++) {
      if (closing.signal.aborted) throw away()
      try {
        return await request({ signal })
      } catch (error) {
        if (refusalIn(error) !== undefined) refused = error
        // what it answered before tells an operator more than that time was up
        if (signal.aborted)
          throw refused === undefined ? unavailable(`no answer within ${ms} ms`, 'busy') : failureOf(refused)
        if (attempts >= mostAttempts(error)) throw failureOf(error)
      }
      await backOff(attempts)
    }
  }

  return {
    client,
    ask,
    backOff,
    async close() {
      closing.abort()
      // which waits for what is under way; a server that does not answer is not waited for
      await Promise.race([client.close(), sleep(closesWithin, undefined, { ref: false })])
    },
  }
}

function mostAttempts(error: unknown): number {
  if (isBrokenOff(error)) return connectionsAtMost
  const refusal = refusalIn(error)
  return refusal !== undefined && isPassing(refusal) ? attemptsAtMost : 1
}
