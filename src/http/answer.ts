/** Answers each kind of route, once the caller is known. */
import { hash } from 'node:crypto'
import type { Context } from 'koa'
import type { Actor } from '../access/actor.ts'
import { type Issue, Problem, problem } from '../problem.ts'
import { presentReceipt } from '../receipts/present.ts'
import type { Api } from './api.ts'
import { readJson } from './middleware/body.ts'
import type { FairTurns } from './middleware/fair-turns.ts'
import { replayedHeader, takeKey } from './middleware/idempotency.ts'
import { preferredWait } from './middleware/prefer.ts'
import { queryReader, refuseQuery } from './middleware/query-string.ts'
import { toldOf } from './middleware/trace.ts'
import { boundsOf, type CallRoute, type ReadRoute, type WriteRoute } from './route.ts'

type Answer = (ctx: Context, actor: Actor) => Promise<void>

/** Seconds after which a client should poll a receipt that has not ended. */
const lookAgainAfter = '1'

/** 202 and the receipt while it is open, 200 once it has ended. */
export function answerWrite(route: WriteRoute, api: Api, turns: FairTurns): Answer {
  const { operation } = route
  return async (ctx, actor) => {
    refuseQuery(ctx.querystring)
    const { key, input } = await takeKey(ctx.req, await readJson(ctx, boundsOf(route)))
    const told = toldOf(ctx)
    const call = { operation, actor, input, idempotencyKey: key, trace: told.trace }
    const accepted = await turns.run(actor, () => api.accept(call))
    told.receipt = accepted.id
    if (accepted.replayed) ctx.set(replayedHeader, 'true')
    const wait = preferredWait(ctx)
    const receipt = wait > 0 ? await api.waitForEnd(accepted, wait * 1000) : accepted
    ctx.status = receipt.open === 1 ? 202 : 200
    ctx.set('Location', `${api.publicUrl}/v1/receipts/${receipt.id}`)
    if (receipt.open === 1) ctx.set('Retry-After', lookAgainAfter)
    ctx.body = presentReceipt(receipt, actor, api.publicUrl)
  }
}

export function answerRead(route: ReadRoute, api: Api, turns: FairTurns): Answer {
  const { query, method, polled } = route
  const conditional = route.conditional ?? polled !== undefined
  const readQuery = queryReader(query.input)
  return async (ctx, actor) => {
    if (method === 'POST') refuseQuery(ctx.querystring)
    const path = pathParameters(ctx)
    const input = method === 'POST' ? await readJson(ctx, boundsOf(route)) : readQuery(ctx.querystring, path)
    const read = () => api.query(query, actor, input)
    // a polled read costs little, and may wait for the end of a receipt
    const output = await (polled ? read() : turns.run(actor, read)).catch((error: unknown) => {
      throw isOfPath(error, path) ? problem('not_found', 'There is nothing with this id.') : error
    })
    if (polled?.stillOpen(output)) ctx.set('Retry-After', lookAgainAfter)
    if (conditional) answerConditionally(ctx, output)
    else ctx.body = output as object
  }
}

/**
 * The ETag is a hash of the answer. It changes exactly if the caller's own view changes, so it tells nothing about
 * records, links or revisions that the caller does not see.
 */
function answerConditionally(ctx: Context, output: unknown): void {
  const text = JSON.stringify(output)
  const etag = `"${hash('sha256', text, 'base64url').slice(0, 22)}"`
  ctx.status = 200
  ctx.res.setHeader('Cache-Control', 'private, no-cache')
  ctx.res.setHeader('ETag', etag)
  if (isKnown(etag, ctx.get('If-None-Match'))) {
    ctx.status = 304
    return
  }
  // set before the body: Koa would guess the type
  ctx.res.setHeader('Content-Type', 'application/json; charset=utf-8')
  ctx.body = text
}

/** A path parameter that cannot be an id is answered like an unknown id. */
function isOfPath(error: unknown, path: Record<string, string>): boolean {
  if (!(error instanceof Problem) || error.code !== 'invalid_request') return false
  return ((error.details?.issues ?? []) as Issue[]).some((issue) => Object.hasOwn(path, issue.path))
}

/**
 * Weak comparison of RFC 9110, 13.1.2. Koa's own check is skipped if the request has `Cache-Control: no-cache`, which
 * fetch sends with every If-None-Match.
 */
function isKnown(etag: string, ifNoneMatch: string): boolean {
  return ifNoneMatch.split(',').some((one) => ['*', etag].includes(one.trim().replace(/^W\//, '')))
}

export function answerCall(route: CallRoute, api: Api): Answer {
  return async (ctx, actor) => {
    refuseQuery(ctx.querystring)
    const input = route.input === undefined ? undefined : await readJson(ctx, boundsOf(route))
    const output = await route.run(api, actor, input, pathParameters(ctx))
    ctx.status = route.status
    if (output !== undefined) ctx.body = output as object
  }
}

function pathParameters(ctx: Context): Record<string, string> {
  return (ctx as unknown as { params?: Record<string, string> }).params ?? {}
}
