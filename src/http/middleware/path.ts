/** The parameters of a path, such as the id in `/v1/decisions/:id`. */
import type { Context } from 'koa'
import { type Issue, invalid, Problem, problem } from '../../problem.ts'

export function pathParameters(ctx: Context): Record<string, string> {
  return (ctx as unknown as { params?: Record<string, string> }).params ?? {}
}

/**
 * Adds the fields in the path and headers of a write to its body, so that they are part of the input and of its hash.
 * Throws invalid_request if the body has a field of the address, even one that is undefined there. A body that is no
 * object is left to the schema.
 */
export function withAddress(body: unknown, address: Record<string, unknown>): unknown {
  if (body === null || typeof body !== 'object' || Array.isArray(body)) return body
  for (const name of Object.keys(address)) {
    if (Object.hasOwn(body, name)) throw invalid(name, 'belongs into the path or a header: leave it out of the body')
  }
  const given = Object.entries(address).filter(([, value]) => value !== undefined)
  return { ...body, ...Object.fromEntries(given) }
}

/** A path parameter that cannot be an id is answered like an unknown id. */
export function asNotFound(error: unknown, path: Record<string, string>): unknown {
  if (!(error instanceof Problem) || error.code !== 'invalid_request') return error
  const isOfPath = ((error.details?.issues ?? []) as Issue[]).some((issue) => Object.hasOwn(path, issue.path))
  return isOfPath ? problem('not_found', 'There is nothing with this id.') : error
}
