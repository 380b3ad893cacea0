/**
 * What a request notes about itself while it is answered, for its log line. Its trace id is also in the workers'
 * lines.
 */
import type { Context } from 'koa'
import type { Clock } from '../../ports/clock.ts'
import { traceOf } from './request-id.ts'

export interface Told {
  /** 32 hex digits, of the caller's `traceparent` or made here (W3C Trace Context). Kept with the receipts it makes. */
  trace: string
  /** The path of the row that answers, with its parameters by name. */
  row?: string
  /** Of a write. */
  receipt?: string
  /** Of an import. */
  batch?: string
  /** How many decisions an import has. */
  items?: number
}

/** version, trace-id, parent-id, flags; versions after 00 may have more behind. */
const traceparent = /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(?=$|-)/

export function beginTelling(ctx: Context, requestId: string, clock: Clock): void {
  const given = ctx.req.headers.traceparent
  const trace = typeof given === 'string' ? traceparent.exec(given.trim())?.[1] : undefined
  ;(ctx.state as Told).trace = trace ?? traceOf(requestId, clock)
}

export function toldOf(ctx: Context): Told {
  return ctx.state as Told
}
