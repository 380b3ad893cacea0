/**
 * HTTP client of the service: JSON in, JSON out. A call that is safe to repeat is retried for a limited time while the
 * service is busy or unreachable. Every other error is a Failure with a remedy.
 */
import { backOff } from '../../ports/back-off.ts'
import { Failure, interrupted, usage } from '../terminal/failure.ts'
import { type Pace, paceOf } from './pace.ts'
import { type Answer, failureOf, parsed, RetryableError, refusal, unreachable } from './refusals.ts'

export interface Call {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** Absolute path with the query. */
  path: string
  /** Sent as JSON. A string is sent unchanged, as NDJSON. */
  body?: unknown
  /** Makes a write safe to repeat. Without one, a write of v2 that may have arrived is not sent again. */
  idempotencyKey?: string
  /** The revision that a conditional write expects. */
  ifRevision?: number
  /** Seconds that the service may wait for the write to be applied before it answers. */
  wait?: number
  /** A POST that only reads, and so is safe to repeat. */
  reads?: boolean
  /** ms to wait for an answer. */
  timeout?: number
}

export interface Client {
  /** Resolves with the body of the answer. Throws Failure. */
  call<T>(call: Call): Promise<T>
}

export interface ClientOptions {
  url: string
  apiKey: string | undefined
  signal: AbortSignal
  retries: RetryLimits
  onRetry?: OnRetry
}

/** Called before each retry, with the reason and the delay in ms. */
export type OnRetry = (reason: string, delay: number) => void

/** How long one call is retried, in ms. */
export interface RetryLimits {
  /** While the service answers that it cannot do it now. */
  busy: number
  /** While the service does not answer. */
  unreachable: number
}

/** For single calls: a person wants to know at once that the service is unreachable. */
export const interactiveRetries: RetryLimits = { busy: 10_000, unreachable: 0 }
/** For work of many calls: survives a restart of the service, or a full disk until it is cleared. */
export const longRetries: RetryLimits = { busy: 300_000, unreachable: 300_000 }

/** ms. */
const defaultTimeout = 60_000
const pauses = { first: 250, longest: 10_000 }

/** Throws Failure if the URL or the key is malformed. */
export function createClient(options: ClientOptions): Client {
  const base = baseOf(options.url)
  const authorization = `Bearer ${keyOf(options.apiKey)}`
  const pace = paceOf(() => performance.now())

  async function once<T>(call: Call): Promise<T> {
    for (let wait = pace.next(); wait > 0; wait = pace.next()) await pause(wait, options.signal)
    const response = await send({ base, authorization, pace }, call, options.signal)
    if (response.status === 204) return undefined as T
    if (response.ok) return parsed(response.text, response.status, base) as T
    throw refusal(response, base)
  }

  return {
    async call<T>(call: Call) {
      const repeatable = call.method === 'GET' || call.reads === true || call.idempotencyKey !== undefined
      const began = Date.now()
      for (let attempt = 1; ; attempt++) {
        if (options.signal.aborted) throw interrupted()
        try {
          return await once<T>(call)
        } catch (error) {
          if (!(error instanceof RetryableError) || !(repeatable || error.notProcessed)) throw failureOf(error)
          const delay = backOff(attempt, { ...pauses, asked: error.retryAfter })
          const limit = error.answered ? options.retries.busy : options.retries.unreachable
          if (Date.now() + delay > began + limit) throw failureOf(error)
          options.onRetry?.(error.failure.message, delay)
          await pause(delay, options.signal)
        }
      }
    },
  }
}

/** Where a call is sent, and how fast. */
interface Target {
  base: string
  authorization: string
  pace: Pace
}

async function send({ base, authorization, pace }: Target, call: Call, signal: AbortSignal): Promise<Answer> {
  const stop = new AbortController()
  const timer = setTimeout(() => stop.abort(), call.timeout ?? defaultTimeout)
  const onAbort = () => stop.abort()
  signal.addEventListener('abort', onAbort)
  try {
    const response = await fetch(base + call.path, { ...requestOf(call, authorization), signal: stop.signal })
    pace.update(response.headers)
    const text = await response.text()
    return { status: response.status, ok: response.ok, text, retryAfter: response.headers.get('retry-after') }
  } catch (error) {
    if (signal.aborted) throw interrupted()
    throw unreachable(base, error, stop.signal.aborted)
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', onAbort)
  }
}

function requestOf(call: Call, authorization: string): RequestInit {
  const lines = typeof call.body === 'string'
  return {
    method: call.method,
    headers: {
      authorization,
      accept: 'application/json, application/problem+json',
      ...(call.body === undefined ? {} : { 'content-type': lines ? 'application/x-ndjson' : 'application/json' }),
      ...(call.idempotencyKey === undefined ? {} : { 'idempotency-key': call.idempotencyKey }),
      ...(call.ifRevision === undefined ? {} : { 'if-match': `"${call.ifRevision}"` }),
      ...(call.wait === undefined ? {} : { prefer: `wait=${call.wait}` }),
    },
    ...(call.body === undefined ? {} : { body: lines ? (call.body as string) : JSON.stringify(call.body) }),
  }
}

/** Rejects with Failure (interrupted) if the signal is aborted. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(interrupted())
    const end = () => {
      clearTimeout(timer)
      reject(interrupted())
    }
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', end)
      resolve()
    }, ms)
    signal.addEventListener('abort', end, { once: true })
  })
}

export function baseOf(url: string): string {
  if (!URL.canParse(url) || !/^https?:\/\//i.test(url)) {
    throw usage(
      `“${url}” is not an http:// or https:// URL.`,
      'Set PRECEDENT_URL or --url, for example to http://127.0.0.1:4400.',
    )
  }
  const { username, search, hash } = new URL(url)
  if (username !== '')
    throw usage('The URL of the service contains a user name.', 'Remove it, and set the key in PRECEDENT_API_KEY.')
  if (search !== '' || hash !== '') throw usage('The URL of the service contains a query or a fragment.', 'Remove it.')
  return url.replace(/\/+$/, '')
}

/** Throws Failure if there is no key, or it can't be one. */
export function keyOf(apiKey: string | undefined): string {
  const remedy =
    'Set it to a key. The first start of the service printed an admin key; `precedent keys recover` makes a new one.'
  if (apiKey === undefined) {
    throw new Failure('unauthorised', 'no_key', 'PRECEDENT_API_KEY is not set.', { remedy })
  }
  if (!/^[\x21-\x7e]+$/.test(apiKey)) {
    throw new Failure('unauthorised', 'bad_key', 'PRECEDENT_API_KEY contains characters that no key can contain.', {
      remedy,
    })
  }
  return apiKey
}
