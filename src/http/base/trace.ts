/**
 * The ids of a request, and what its log line contains. The trace id is also in the log lines of the workers that apply
 * its writes.
 */
import type { IncomingMessage } from 'node:http'
import type { Context } from 'koa'
import { uuidPattern } from '../../ids.ts'
import type { Clock } from '../../ports/clock.ts'
import type { ProblemCode } from '../../problem.ts'

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

export interface Told {
  /** 32 hex digits, from the caller's `traceparent` or new (W3C Trace Context). Receipts of the request store it. */
  trace: string
  /** The path of the route, with the names of its parameters. */
  row?: string
  /** Only of a write. */
  receipt?: string
  /** Only of an import. */
  batch?: string
  /** Only of a call of a tool: its name. */
  tool?: string
  /** Only of a tool that failed: its answer is a result with status 200 nevertheless. */
  failure?: { code: ProblemCode; status: number; cause: unknown }
  /** Only of an import: how many decisions it has. */
  items?: number
}

/** version, trace-id, parent-id, flags. Versions after 00 may have more fields after these. */
const traceparent = /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(?=$|-)/

export function beginTelling(ctx: Context, requestId: string, clock: Clock): void {
  const given = ctx.req.headers.traceparent
  const trace = typeof given === 'string' ? traceparent.exec(given.trim())?.[1] : undefined
  ;(ctx.state as Told).trace = trace ?? traceOf(requestId, clock)
}

export function toldOf(ctx: Context): Told {
  return ctx.state as Told
}
