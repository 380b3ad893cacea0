/**
 * All errors of the service, and the class that carries them (SEMANTICS 8). http/ renders a problem as problem+json,
 * drain writes it into receipts, and /docs explains each row.
 */
export const problems = {
  invalid_request: { status: 400, title: 'Invalid request', retryable: false },
  malformed_json: { status: 400, title: 'Malformed JSON', retryable: false },
  authentication_required: { status: 401, title: 'Authentication required', retryable: false },
  insufficient_scope: { status: 403, title: 'Insufficient scope', retryable: false },
  origin_not_allowed: { status: 403, title: 'Origin not allowed', retryable: false },
  self_approval: { status: 403, title: 'Who starts a run may not approve it', retryable: false },
  not_found: { status: 404, title: 'Not found', retryable: false },
  method_not_allowed: { status: 405, title: 'Method not allowed', retryable: false },
  idempotency_conflict: { status: 409, title: 'Idempotency conflict', retryable: false },
  revision_conflict: { status: 409, title: 'The record has changed since you read it', retryable: false },
  not_decided: { status: 409, title: 'The decision was not made', retryable: false },
  task_closed: { status: 409, title: 'The task is done or cancelled', retryable: false },
  run_active: { status: 409, title: 'The task has a run that has not ended', retryable: false },
  run_ended: { status: 409, title: 'The run has ended', retryable: false },
  plan_changed: { status: 409, title: 'The plan is not the one that you read', retryable: false },
  ref_not_indexed: { status: 409, title: 'This ref of the repository is not indexed', retryable: false },
  repository_not_ready: { status: 409, title: 'The repository is not indexed yet', retryable: true },
  payload_too_large: { status: 413, title: 'Payload too large', retryable: false },
  unsupported_media_type: { status: 415, title: 'Unsupported media type', retryable: false },
  rate_limited: { status: 429, title: 'Too many requests', retryable: true },
  internal_error: { status: 500, title: 'Internal error', retryable: true },
  unavailable: { status: 503, title: 'Service unavailable', retryable: true },
  // only in receipts
  secret_detected: { status: 200, title: 'Credential detected; nothing was stored', retryable: false },
  policy_denied: { status: 200, title: 'The policy denies this run', retryable: false },
  // only in runs
  worker_lost: { status: 200, title: 'The worker of the run was lost', retryable: true },
  executor_failed: { status: 200, title: 'The executor failed', retryable: true },
  credential_revoked: { status: 200, title: 'The key that started the run was revoked', retryable: false },
  approval_expired: { status: 200, title: 'Nobody approved the run in time', retryable: false },
  expired: { status: 200, title: 'Approval expired', retryable: false },
  already_superseded: { status: 200, title: 'Already superseded', retryable: false },
  would_cycle: { status: 200, title: 'The record would supersede or contain itself', retryable: false },
  question_closed: { status: 200, title: 'Question already closed', retryable: false },
  superseded_invisible: {
    status: 200,
    title: 'Some readers of the older record could not see the newer one',
    retryable: false,
  },
} as const satisfies Record<string, { status: number; title: string; retryable: boolean }>

export type ProblemCode = keyof typeof problems

/** One issue with an input: a JSON path such as `sources[2].url`, and the remedy. */
export interface Issue {
  path: string
  message: string
}

export class Problem extends Error {
  readonly code: ProblemCode
  /** Safe to show to callers. Part of `details` in the response. */
  readonly details: Record<string, unknown> | undefined
  /** Additional response headers, such as Retry-After or Allow. */
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

/** Example: `throw problem('not_found', 'No record has this id.')` */
export function problem(
  code: ProblemCode,
  detail: string,
  more?: { details?: Record<string, unknown>; headers?: Record<string, string>; cause?: unknown },
): Problem {
  return new Problem(code, detail, more)
}

/** A 400 for one field. The message gives the remedy. */
export function invalid(path: string, message: string): Problem {
  const issue = issueAt(path, message)
  return new Problem('invalid_request', `${issue.path}: ${message}`, { details: { issues: [issue] } })
}

/** UTF-16 units. An unknown field may have a name of megabytes. */
const longestPath = 200

export function issueAt(path: string, message: string): Issue {
  if (path.length <= longestPath) return { path, message }
  return { path: `${path.slice(0, longestPath).replace(/[\ud800-\udbff]$/, '')}…`, message }
}
