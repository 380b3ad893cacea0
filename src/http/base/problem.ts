/** Renders every error as application/problem+json (specification 7), without internal details. */
import { z } from 'zod'
import { EngineUnavailable } from '../../ports/unavailable.ts'
import { Problem, type ProblemCode, problems } from '../../problem.ts'
import { instanceOf } from './trace.ts'

const codes = Object.keys(problems) as [ProblemCode, ...ProblemCode[]]

export const problemResponse = z.strictObject({
  type: z.url().describe('Explains the code.'),
  title: z.string(),
  status: z.int().min(400).max(599),
  detail: z.string().describe('What is wrong, and what to do about it.'),
  code: z.enum(codes),
  retryable: z.boolean().describe('Whether the same request may succeed later.'),
  instance: z
    .string()
    .optional()
    .describe(
      'The request: urn:uuid: and its X-Request-Id, or urn:request: if that is no UUID. The log of the service has the same id.',
    ),
  receipt_id: z.uuid().optional(),
  details: z
    .record(z.string(), z.unknown())
    .optional()
    .describe('Of invalid_request: issues, a list of {path, message}.'),
})
export type ProblemResponse = z.infer<typeof problemResponse>

/** Seconds after which a caller may try again, if nothing better is known. */
const tryAgainAfter = '2'

/**
 * The problem of an error. An error of another class means that an engine is unavailable, or that the service is at
 * fault.
 */
export function asProblem(error: unknown): Problem {
  if (error instanceof Problem) {
    if (error.code !== 'unavailable' || error.headers['Retry-After'] !== undefined) return error
    return new Problem('unavailable', error.message, {
      ...(error.details ? { details: error.details } : {}),
      headers: { ...error.headers, 'Retry-After': tryAgainAfter },
      cause: error,
    })
  }
  if (error instanceof EngineUnavailable) {
    return new Problem('unavailable', remedyOf(error), { headers: { 'Retry-After': tryAgainAfter }, cause: error })
  }
  const detail = 'Something failed that should not have. Send it again, a write with the same Idempotency-Key.'
  return new Problem('internal_error', detail, { cause: error })
}

function remedyOf({ engine, trouble }: EngineUnavailable): string {
  if (trouble === 'index_version')
    return 'The search index is being filled for this version of the service. Send it again later, or without the newest filters.'
  if (engine === 'elasticsearch')
    return 'Search is not available now. Send it again later. Writes, and reads without q, work meanwhile.'
  return 'The store can’t be reached or can’t be written to. Send it again, a write with the same Idempotency-Key.'
}

/** Codes of receipts have no HTTP status. If a request fails with one of them, the status is 409. */
export function statusOf(code: ProblemCode): number {
  const { status } = problems[code]
  return status === 200 ? 409 : status
}

export function typeUri(code: ProblemCode, publicUrl: string): string {
  return `${publicUrl}/docs/problems#${code}`
}

export function problemBody(error: Problem, publicUrl: string, requestId?: string): ProblemResponse {
  const { title, retryable } = problems[error.code]
  const { receipt_id, ...details } = error.details ?? {}
  return {
    type: typeUri(error.code, publicUrl),
    title,
    status: statusOf(error.code),
    detail: error.message,
    code: error.code,
    retryable,
    ...(requestId === undefined ? {} : { instance: instanceOf(requestId) }),
    ...(typeof receipt_id === 'string' ? { receipt_id } : {}),
    ...(Object.keys(details).length > 0 ? { details } : {}),
  }
}
