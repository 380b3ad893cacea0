/** The outermost middleware: gives each request an id, renders every error as a problem, and logs one line. */
import type { IncomingMessage } from 'node:http'
import type { Context, Next } from 'koa'
import type { Logger } from 'pino'
import type { Clock } from '../../ports/clock.ts'
import { type Problem, problem } from '../../problem.ts'
import { asProblem, problemBody, statusOf } from '../base/problem.ts'
import { beginTelling, requestIdOf, toldOf } from '../base/trace.ts'
import { discardBody } from '../body/body.ts'
import { refuseRepeated } from './headers.ts'

export interface Requests {
  log: Logger
  clock: Clock
  /** Known once the port is bound. */
  publicUrl: () => string
  /** Throws if its connection has too many concurrent requests. */
  check(req: IncomingMessage): void
  /** true: the server is shutting down, so each connection ends with its current answer. */
  isClosing(): boolean
  /** Counts an answered request. `path`: that of its route. */
  answered(method: string, path: string, status: number, seconds: number, tool?: string): void
}

export function request({ log, clock, publicUrl, check, isClosing, answered }: Requests) {
  return async (ctx: Context, next: Next): Promise<void> => {
    const began = clock.elapsed()
    const id = requestIdOf(ctx.req, clock)
    beginTelling(ctx, id, clock)
    ctx.res.setHeader('X-Request-Id', id)
    ctx.res.setHeader('X-Content-Type-Options', 'nosniff')
    let refused: Problem | undefined
    let cause: unknown
    try {
      check(ctx.req)
      refuseRepeated(ctx.req.rawHeaders)
      refuseUnaddressed(ctx)
      await next()
    } catch (thrown) {
      refused = asProblem(thrown)
      cause = render(ctx, refused, publicUrl(), id)
    }
    // last, so that it also closes connections whose request began before the shutdown
    if (isClosing()) ctx.set('Connection', 'close')
    discardBody(ctx.req)
    const { row, failure, ...told } = toldOf(ctx)
    const ms = clock.elapsed() - began
    answered(ctx.method, row ?? 'none', failure?.status ?? ctx.status, ms / 1000, told.tool)
    const address = { method: ctx.method, path: pathOf(ctx)?.slice(0, longestShown), status: ctx.status }
    const code = failure?.code ?? refused?.code
    const line = { request: id, ...told, ...(code ? { problem: code } : {}), ...address, ms: Math.round(ms) }
    if (failure !== undefined && failure.status >= 500) cause = failure.cause
    if (cause !== undefined) log.error({ ...line, err: cause }, 'request failed')
    else if (!isProbe(row, ctx.status)) {
      if (ctx.status >= 500) log.warn({ ...line, why: refused?.message }, 'request refused')
      else log.info(line, 'request')
    }
  }
}

const probes = ['/livez', '/readyz', '/metrics']

/** Probes come every few seconds, so they are not logged. Changes of readiness and refused keys are. */
function isProbe(path: string | undefined, status: number): boolean {
  return path !== undefined && probes.includes(path) && (status < 400 || status === 503)
}

/**
 * Returns the cause if the service is at fault, for the log. Callers never see it. A 503 without a cause is not
 * a fault: the service is starting, stopping or busy.
 */
function render(ctx: Context, error: Problem, publicUrl: string, id: string): unknown {
  const status = statusOf(error.code)
  ctx.status = status
  ctx.set('Cache-Control', 'no-store')
  ctx.set(error.headers)
  ctx.body = JSON.stringify(problemBody(error, publicUrl, id))
  ctx.type = 'application/problem+json'
  if (status < 500 || (status === 503 && error.cause === undefined)) return undefined
  return error.cause ?? error
}

/** Answers with a problem where Node would refuse the request with an answer of its own. */
function refuseUnaddressed(ctx: Context): void {
  if (ctx.req.httpVersion === '1.1' && ctx.req.headers.host === undefined) {
    throw problem('invalid_request', 'Host: the header is missing. HTTP/1.1 requires it.')
  }
  const expect = ctx.req.headers.expect
  if (expect !== undefined && expect.toLowerCase() !== '100-continue') {
    throw problem('invalid_request', 'Expect: only 100-continue is known. Leave the header out.')
  }
  if (pathOf(ctx) === undefined) throw problem('not_found', 'There is nothing at this address.')
}

/** Characters of a path in the log. No valid path is half as long. */
const longestShown = 200

/** The path without the query, which may contain private text. undefined: the target of the request is no path. */
function pathOf(ctx: Context): string | undefined {
  const url = ctx.req.url ?? ''
  if (url.startsWith('/')) return url.split('?', 1)[0]
  // some proxies send the absolute form
  return URL.canParse(url) ? new URL(url).pathname : undefined
}
