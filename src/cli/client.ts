/**
 * Calls of the service over HTTP: JSON in, JSON out. A call that may be repeated is repeated while the service is away
 * or busy, within a bound; every other refusal is a Failure that says what to do.
 */
import { Failure, interrupted, usage } from './failure.ts'
import { type Pace, paceOf } from './pace.ts'
import { type Answer, failureOf, Passing, parsed, refusal, unreachable } from './refusals.ts'

export interface Call {
  method: 'GET' | 'POST' | 'DELETE'
  /** Absolute, with its query. */
  path: string
  /** Sent as JSON; a string is sent as it is, as NDJSON. */
  body?: unknown
  /** Makes a write repeatable. */
  idempotencyKey?: string
  /** Seconds that the service may hold the answer of a write back until it has ended. */
  wait?: number
  /** A POST that only reads. */
  reads?: boolean
  /** ms without an answer, beyond which the connection is given up. */
  timeout?: number
}

export interface Client {
  /** The answer's body. Throws Failure. */
  call<T>(call: Call): Promise<T>
}

export interface ClientOptions {
  url: string
  apiKey: string | undefined
  signal: AbortSignal
  patience: Patience
  /** Hears why a call waits and for how long (ms). */
  waits?: (reason: string, delay: number) => void
}

/** How long one call is repeated, in ms: while the service says that it can't now, and while nothing answers. */
export interface Patience {
  busy: number
  away: number
}

/** A person who asks for one thing wants to know at once that nothing answers. */
export const shortPatience: Patience = { busy: 10_000, away: 0 }
/** What work of many calls survives: a restart of the service, a full disk that somebody clears. */
export const longPatience: Patience = { busy: 300_000, away: 300_000 }

const defaultTimeout = 60_000
const firstDelay = 250
const longestDelay = 10_000

/** Throws Failure (usage) where the url or the key can't be used at all. */
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
      for (let attempt = 0; ; attempt++) {
        if (options.signal.aborted) throw interrupted()
        try {
          return await once<T>(call)
        } catch (error) {
          if (!(error instanceof Passing) || !(repeatable || error.untouched)) throw failureOf(error)
          const delay = error.retryAfter ?? backOff(attempt)
          const patience = error.answered ? options.patience.busy : options.patience.away
          if (Date.now() + delay > began + patience) throw failureOf(error)
          options.waits?.(error.failure.message, delay)
          await pause(delay, options.signal)
        }
      }
    },
  }
}

interface To {
  base: string
  authorization: string
  pace: Pace
}

async function send({ base, authorization, pace }: To, call: Call, signal: AbortSignal): Promise<Answer> {
  const stop = new AbortController()
  const timer = setTimeout(() => stop.abort(), call.timeout ?? defaultTimeout)
  const onAbort = () => stop.abort()
  signal.addEventListener('abort', onAbort)
  try {
    const response = await fetch(base + call.path, { ...requestOf(call, authorization), signal: stop.signal })
    pace.heard(response.headers)
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
      ...(call.wait === undefined ? {} : { prefer: `wait=${call.wait}` }),
    },
    ...(call.body === undefined ? {} : { body: lines ? (call.body as string) : JSON.stringify(call.body) }),
  }
}

/** With jitter, so that many who were refused together do not come back together. */
function backOff(attempt: number): number {
  return Math.min(firstDelay * 2 ** Math.min(attempt, 10), longestDelay) * (0.75 + Math.random() / 2)
}

/** Throws interrupted. */
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

function baseOf(url: string): string {
  if (!URL.canParse(url) || !/^https?:\/\//i.test(url)) {
    throw usage(`PRECEDENT_URL is not a URL: ${url}`, 'Set it to something such as http://127.0.0.1:4400')
  }
  const { username, search, hash } = new URL(url)
  if (username !== '')
    throw usage('PRECEDENT_URL holds a user name.', 'Leave it out: the key goes into PRECEDENT_API_KEY.')
  if (search !== '' || hash !== '') throw usage('PRECEDENT_URL has a query or a fragment.', 'Leave it out.')
  return url.replace(/\/+$/, '')
}

function keyOf(apiKey: string | undefined): string {
  const remedy =
    'Set it to a key: the first start of the service printed one, and `precedent keys recover` makes another.'
  if (apiKey === undefined) {
    throw new Failure('unauthorised', 'no_key', 'PRECEDENT_API_KEY is not set.', { remedy })
  }
  if (!/^[\x21-\x7e]+$/.test(apiKey)) {
    throw new Failure('unauthorised', 'bad_key', 'PRECEDENT_API_KEY holds characters that no key has.', { remedy })
  }
  return apiKey
}
