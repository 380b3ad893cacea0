/** The id of a request, under which callers and operators find it in their logs. */
import type { IncomingMessage } from 'node:http'
import type { Clock } from '../../ports/clock.ts'
import { uuidPattern } from '../../records/ids.ts'

/** Visible ASCII: it fits into a header and a log line as it is. No id of a common proxy or tracer is as long. */
const sane = /^[\x21-\x7e]{1,128}$/

/**
 * The caller's X-Request-Id if it is sane, else a new UUID. One that is given twice is not: Node joins them with a
 * space.
 */
export function requestIdOf(req: IncomingMessage, clock: Clock): string {
  const given = req.headers['x-request-id']
  return typeof given === 'string' && sane.test(given) ? given : clock.id()
}

/** As a URI, for `instance` of a problem (RFC 9457, 3.1.5). */
export function instanceOf(requestId: string): string {
  return uuidPattern.test(requestId) ? `urn:uuid:${requestId}` : `urn:request:${encodeURIComponent(requestId)}`
}

/** 32 hex digits for a trace. A UUID is random enough and costs nothing; any other id is no trace id. */
export function traceOf(requestId: string, clock: Clock): string {
  return (uuidPattern.test(requestId) ? requestId.toLowerCase() : clock.id()).replaceAll('-', '')
}
