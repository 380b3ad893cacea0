/** What a service answers that is no result, and that it does not answer: as failures that say what to do. */
import { Failure } from './failure.ts'

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

/** A refusal that may pass. */
export class Passing extends Error {
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

/** What the user is told of it. */
export function failureOf(error: unknown): unknown {
  return error instanceof Passing ? error.failure : error
}

/** As it came, whatever its status. */
export interface Answer {
  status: number
  ok: boolean
  text: string
  retryAfter: string | null
}

/** Errors of connecting: the request has not left. */
const beforeSending = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH'])

/** No answer came; `timedOut`: because it was no longer waited for. */
export function unreachable(base: string, error: unknown, timedOut: boolean): Passing {
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

/** Throws Failure where it is no JSON. */
export function parsed(text: string, status: number, base: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new Failure('failed', 'not_precedent', `${base} answered ${status} with something that is not JSON.`, {
      remedy: 'Check that PRECEDENT_URL is the address of a Precedent service.',
    })
  }
}

/** Of an answer with a status of 400 and more: Passing, or the Failure itself. */
export function refusal({ status, text, retryAfter }: Answer, base: string): Error {
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
