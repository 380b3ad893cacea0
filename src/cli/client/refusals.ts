/** Turns error responses and connection errors into failures with a remedy. */
import { retryAfterOf } from '../../ports/back-off.ts'
import { Failure } from '../terminal/failure.ts'

/** ms. The service may ask for a longer delay, but the user is waiting. */
const longestRetryAfter = 60_000

/** Issues of one input that the message names. The details hold all of them. */
const mostIssues = 5

interface Problem {
  code?: string
  title?: string
  detail?: string
  retryable?: boolean
  details?: { issues?: { path: string; message: string }[]; required_scope?: string } & Record<string, unknown>
}

/** An error that may be gone when the call is repeated. */
export class RetryableError extends Error {
  readonly failure: Failure
  /** The service has not processed the call. */
  readonly notProcessed: boolean
  readonly answered: boolean
  readonly retryAfter: number | undefined
  constructor(failure: Failure, more: { notProcessed: boolean; answered: boolean; retryAfter?: number | undefined }) {
    super(failure.message)
    this.failure = failure
    this.notProcessed = more.notProcessed
    this.answered = more.answered
    this.retryAfter = more.retryAfter
  }
}

/** The error to show to the user. */
export function failureOf(error: unknown): unknown {
  return error instanceof RetryableError ? error.failure : error
}

/** An HTTP response of any status. */
export interface Answer {
  status: number
  ok: boolean
  text: string
  retryAfter: string | null
}

/** Connection errors before the request is sent. */
const beforeSending = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH'])

/** No answer came. `timedOut`: the timeout ended the call. */
export function unreachable(base: string, error: unknown, timedOut: boolean): RetryableError {
  const code = causeCode(error)
  const notProcessed = beforeSending.has(code)
  const why = timedOut ? 'it did not answer in time' : (reasons[code] ?? (code || causeMessage(error)))
  const failure = new Failure('unreachable', 'unreachable', `The service at ${base} can't be reached: ${why}.`, {
    remedy: 'Start it with `precedent serve`, or set PRECEDENT_URL to its address.',
    details: { may_have_arrived: !notProcessed },
    cause: error,
  })
  return new RetryableError(failure, { notProcessed, answered: false })
}

const reasons: Record<string, string> = {
  ECONNREFUSED: 'connection refused',
  ENOTFOUND: 'unknown host',
  EAI_AGAIN: 'the host name cannot be resolved',
  ECONNRESET: 'the connection was closed',
  UND_ERR_SOCKET: 'the connection was closed',
  EPIPE: 'the connection was closed',
}

function causeCode(error: unknown): string {
  for (let cause = error, depth = 0; cause instanceof Error && depth < 5; cause = cause.cause, depth++) {
    const { code } = cause as { code?: unknown }
    if (typeof code === 'string') return code
  }
  return ''
}

/** The message of fetch itself only says that it failed. */
function causeMessage(error: unknown): string {
  const { cause, message } = error as Error
  return cause instanceof Error && cause.message !== '' ? cause.message : message
}

/** Throws Failure if the text is not JSON. */
export function parsed(text: string, status: number, base: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new Failure('failed', 'not_precedent', `The answer of ${base} (status ${status}) is not JSON.`, {
      remedy: 'Check that PRECEDENT_URL is the address of a Precedent service.',
    })
  }
}

/** For a response with status 400 or higher. If the call may be retried: RetryableError; otherwise Failure. */
export function refusal({ status, text, retryAfter }: Answer, base: string): Error {
  const problem = problemOf(text)
  const failure = failureFor(status, problem, base)
  const passing = problem.retryable ?? [429, 502, 503, 504].includes(status)
  if (!passing) return failure
  // the service answers 429 before it processes the call
  return new RetryableError(failure, {
    notProcessed: status === 429,
    answered: true,
    retryAfter: retryAfterOf(retryAfter, { least: 0, most: longestRetryAfter }),
  })
}

function failureFor(status: number, problem: Problem, base: string): Failure {
  const code = problem.code ?? `http_${status}`
  const message = messageOf(problem) ?? `${base} answered with status ${status} and gave no reason.`
  const details = { status, ...(problem.details ? { details: problem.details } : {}) }
  if (status === 401) {
    const remedy = 'Set PRECEDENT_API_KEY to a valid key, or make one with `precedent keys recover`.'
    return new Failure('unauthorised', code, 'The service does not accept this key.', { remedy, details })
  }
  if (status === 403) {
    const scope = problem.details?.required_scope
    const remedy = scope
      ? `An admin can make a key with this scope: precedent keys create --name NAME --scopes ${scope}`
      : undefined
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
    return {} // the error page of a proxy: the message names its status
  }
}

function messageOf({ title, detail: given, details }: Problem): string | undefined {
  // `detail` repeats the first issue
  const others = (details?.issues ?? []).slice(1)
  const detail = given === undefined ? undefined : namingOption(given)
  if (detail === undefined || others.length === 0) return detail ?? title
  const messages = others.slice(0, mostIssues - 1).map(({ path, message }) => `${path}: ${message}`)
  const left = others.length - messages.length
  return [detail, ...messages].join('; ') + (left > 0 ? ` (and ${left} more)` : '')
}

/** A message about the field of an executor names the option that sets it. Any command that sends the field has it. */
export function namingOption(message: string): string {
  return message.replace(/^(?:execution\.)?executor: /, '--executor: ')
}
