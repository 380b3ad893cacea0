/**
 * The one table of errors and the one class that carries them (SEMANTICS 8). Thrown anywhere; http/ renders it as
 * problem+json, drain writes it into receipts, /docs explains every row.
 */
export const problems = {
  invalid_request: { status: 400, title: 'The request is not valid', retryable: false },
  malformed_json: { status: 400, title: 'The body is not JSON', retryable: false },
  authentication_required: { status: 401, title: 'A valid credential is required', retryable: false },
  insufficient_scope: { status: 403, title: 'The credential lacks the scope', retryable: false },
  not_found: { status: 404, title: 'There is no such thing', retryable: false },
  method_not_allowed: { status: 405, title: 'The path does not know this method', retryable: false },
  idempotency_conflict: { status: 409, title: 'The idempotency key was used with other input', retryable: false },
  revision_conflict: { status: 409, title: 'It has changed since', retryable: false },
  payload_too_large: { status: 413, title: 'The body is too large', retryable: false },
  unsupported_media_type: { status: 415, title: 'The content type or encoding is not supported', retryable: false },
  rate_limited: { status: 429, title: 'Too many requests', retryable: true },
  internal_error: { status: 500, title: 'The service failed', retryable: true },
  unavailable: { status: 503, title: 'The service is not available for the moment', retryable: true },
  // in receipts
  secret_detected: { status: 200, title: 'The content holds a credential and was not stored', retryable: false },
  expired: { status: 200, title: 'It was not approved in time', retryable: false },
  already_superseded: { status: 200, title: 'It has a successor already', retryable: false },
  would_cycle: { status: 200, title: 'It would supersede itself', retryable: false },
  question_closed: { status: 200, title: 'The question was answered already', retryable: false },
  superseded_invisible: {
    status: 200,
    title: 'Not everyone who sees the older record would see the newer one',
    retryable: false,
  },
} as const satisfies Record<string, { status: number; title: string; retryable: boolean }>

export type ProblemCode = keyof typeof problems

/** One thing that is wrong with an input: a JSON path such as `sources[2].url`, and what to do about it. */
export interface Issue {
  path: string
  message: string
}

export class Problem extends Error {
  readonly code: ProblemCode
  /** Safe for callers; merged into `details`. */
  readonly details: Record<string, unknown> | undefined
  /** Extra response headers, such as Retry-After or Allow. */
  readonly headers: Readonly<Record<string, string>>
  constructor(
    code: ProblemCode,
    detail: string,
    more: { details?: Record<string, unknown>; headers?: Record<string, string>; cause?: unknown } = {},
  ) {
    super(detail, more.cause === undefined ? undefined : { cause: more.cause })
    this.name = 'Problem'
    this.code = code
    this.details = more.details
    this.headers = more.headers ?? {}
  }
}

/** `throw problem('not_found', 'No record has this id.')` */
export function problem(
  code: ProblemCode,
  detail: string,
  more?: { details?: Record<string, unknown>; headers?: Record<string, string>; cause?: unknown },
): Problem {
  return new Problem(code, detail, more)
}

/** 400 with the path and the remedy. */
export function invalid(path: string, message: string): Problem {
  const issue = issueAt(path, message)
  return new Problem('invalid_request', `${issue.path}: ${message}`, { details: { issues: [issue] } })
}

/** UTF-16 units of a path in an answer: an unknown field may have a name of megabytes. */
const longestPath = 200

export function issueAt(path: string, message: string): Issue {
  if (path.length <= longestPath) return { path, message }
  return { path: `${path.slice(0, longestPath).replace(/[\ud800-\udbff]$/, '')}…`, message }
}
