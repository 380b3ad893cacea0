/**
 * Calls of the service over HTTP: JSON in, JSON out. A call that may be repeated is repeated while the service is away
 * or busy, within a bound; every other refusal is a Failure that says what to do.
 */
import { Failure, interrupted, usage } from './failure.ts'

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
/** A service may ask for more, but somebody is waiting. */
const longestRetryAfter = 60_000

/** Of what is wrong with one input so much is told; all of it is in the details. */
const mostIssues = 5

interface Problem {
  code?: string
  title?: string
  detail?: string
  retryable?: boolean
  details?: { issues?: { path: string; message: string }[]; required_scope?: string } & Record<string, unknown>
}

/** Throws Failure (usage) where the url or the key can't be used at all. */
export function createClient(options: ClientOptions): Client {
  const base = baseOf(options.url)
  const authorization = `Bearer ${keyOf(options.apiKey)}`

  async function once<T>(call: Call): Promise<T> {
    const response = await send(base, authorization, call, options.signal)
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

/** A refusal that may pass. */
class Passing extends Error {
  readonly failure: Failure
  /** The service can't have seen the call. */
  readonly untouched: boolean
  readonly answered: boolean
  readonly retryAfter: number | undefined
  constructor(failure: Failure, more: { untouched: boolean; answered: boolean; retryAfter?: number | undefined }) {
    super(failure.message)
    this.failure = failure
    this.untouched = more.untouched
    this.answered = more.answered
    this.retryAfter = more.retryAfter
  }
}

function failureOf(error: unknown): unknown {
  return error instanceof Passing ? error.failure : error
}

interface Answer {
  status: number
  ok: boolean
  text: string
  retryAfter: string | null
}

async function send(base: string, authorization: string, call: Call, signal: AbortSignal): Promise<Answer> {
  const stop = new AbortController()
  const timer = setTimeout(() => stop.abort(), call.timeout ?? defaultTimeout)
  const onAbort = () => stop.abort()
  signal.addEventListener('abort', onAbort)
  try {
    const response = await fetch(base + call.path, { ...requestOf(call, authorization), signal: stop.signal })
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

/** Errors of connecting: the request has not left. */
const beforeSending = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH'])

function unreachable(base: string, error: unknown, timedOut: boolean): Passing {
  const code = causeCode(error)
  const untouched = beforeSending.has(code)
  const why = timedOut ? 'it did not answer in time' : (reasons[code] ?? (code || causeMessage(error)))
  const failure = new Failure('unreachable', 'unreachable', `The service at ${base} can't be reached: ${why}.`, {
    remedy: 'Start it with `precedent serve`, or set PRECEDENT_URL to where it is.',
    details: { may_have_arrived: !untouched },
    cause: error,
  })
  return new Passing(failure, { untouched, answered: false })
}

const reasons: Record<string, string> = {
  ECONNREFUSED: 'nothing listens there',
  ENOTFOUND: 'no such host',
  EAI_AGAIN: 'its name can not be resolved',
  ECONNRESET: 'the connection was cut',
  UND_ERR_SOCKET: 'the connection was cut',
  EPIPE: 'the connection was cut',
}

function causeCode(error: unknown): string {
  for (let cause = error, depth = 0; cause instanceof Error && depth < 5; cause = cause.cause, depth++) {
    const { code } = cause as { code?: unknown }
    if (typeof code === 'string') return code
  }
  return ''
}

/** fetch itself says no more than that it failed. */
function causeMessage(error: unknown): string {
  const { cause, message } = error as Error
  return cause instanceof Error && cause.message !== '' ? cause.message : message
}

function parsed(text: string, status: number, base: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new Failure('failed', 'not_precedent', `${base} answered ${status} with something that is not JSON.`, {
      remedy: 'Check that PRECEDENT_URL is the address of a Precedent service.',
    })
  }
}

function refusal({ status, text, retryAfter }: Answer, base: string): Error {
  const problem = problemOf(text)
  const failure = failureFor(status, problem, base)
  const passing = problem.retryable ?? [429, 502, 503, 504].includes(status)
  if (!passing) return failure
  // 429: refused before it was looked at
  return new Passing(failure, { untouched: status === 429, answered: true, retryAfter: retryAfterOf(retryAfter) })
}

function failureFor(status: number, problem: Problem, base: string): Failure {
  const code = problem.code ?? `http_${status}`
  const message = messageOf(problem) ?? `${base} answered ${status} without saying why.`
  const details = { status, ...(problem.details ? { details: problem.details } : {}) }
  if (status === 401) {
    const remedy = 'Set PRECEDENT_API_KEY to a key that is in force, or make one with `precedent keys recover`.'
    return new Failure('unauthorised', code, 'The service does not accept this key.', { remedy, details })
  }
  if (status === 403) {
    const scope = problem.details?.required_scope
    const remedy = scope ? `An admin makes one: precedent keys create --name NAME --scopes ${scope}` : undefined
    return new Failure('unauthorised', code, message, { remedy, details })
  }
  if (status === 503) return new Failure('unreachable', code, message, { details })
  return new Failure('failed', code, message, { details })
}

function problemOf(text: string): Problem {
  try {
    const value: unknown = JSON.parse(text)
    return value !== null && typeof value === 'object' ? (value as Problem) : {}
  } catch {
    return {} // a proxy's page: its status says enough
  }
}

function messageOf({ title, detail, details }: Problem): string | undefined {
  // the detail is the first of them
  const others = (details?.issues ?? []).slice(1)
  if (detail === undefined || others.length === 0) return detail ?? title
  const told = others.slice(0, mostIssues - 1).map(({ path, message }) => `${path}: ${message}`)
  const left = others.length - told.length
  return [detail, ...told].join('; ') + (left > 0 ? ` (and ${left} more)` : '')
}

/** Seconds or a date, as ms from now. */
function retryAfterOf(header: string | null): number | undefined {
  if (header === null) return undefined
  const ms = /^\d+$/.test(header.trim()) ? Number(header) * 1000 : Date.parse(header) - Date.now()
  return Number.isNaN(ms) ? undefined : Math.min(Math.max(ms, 0), longestRetryAfter)
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
