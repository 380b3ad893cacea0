/** Answers each kind of route, once the caller is known. */
import type { Context } from 'koa'
import type { Actor } from '../access/actor.ts'
import { presentReceipt } from '../receipts/present.ts'
import { revisionField } from '../validation/schema.ts'
import type { FairTurns } from './admission/fair-turns.ts'
import type { Api } from './base/api.ts'
import { etagOf, isKnown, revisionIn } from './base/etag.ts'
import { boundsOf, type CallRoute, type ReadRoute, type WriteRoute } from './base/route.ts'
import { toldOf } from './base/trace.ts'
import { hasBody, readJson } from './body/body.ts'
import { preferredWait, replayedHeader, takeKey } from './body/idempotency.ts'
import { asNotFound, pathParameters, withAddress } from './middleware/path.ts'
import { queryReader, refuseQuery } from './middleware/query-string.ts'

type Answer = (ctx: Context, actor: Actor) => Promise<void>

/** Seconds after which a client should poll a receipt that has not ended. */
const lookAgainAfter = '1'

/** Seconds to wait for the end of a conditional write: 202 would not tell the caller whether its write won. */
const conditionalWait = 10

/** 202 and the receipt while it is open, 200 once it has ended. */
export function answerWrite(route: WriteRoute, api: Api, turns: FairTurns): Answer {
  const { operation } = route
  return async (ctx, actor) => {
    refuseQuery(ctx.querystring)
    const revision = route.conditional ? revisionIn(ctx.req.headers['if-match']) : undefined
    const body = route.bodyIsOptional && !hasBody(ctx.req) ? {} : await readJson(ctx, boundsOf(route))
    const { key, input: fields } = await takeKey(ctx.req, body, route.keyIsOptional)
    const path = pathParameters(ctx)
    const input = withAddress(fields, route.conditional ? { ...path, [revisionField]: revision } : path)
    const told = toldOf(ctx)
    const call = { operation, actor, input, idempotencyKey: key, trace: told.trace }
    const accepted = await turns
      .run(actor, () => api.accept(call))
      .catch((error: unknown) => {
        throw asNotFound(error, path)
      })
    told.receipt = accepted.id
    if (accepted.replayed) ctx.set(replayedHeader, 'true')
    const wait = preferredWait(ctx, revision === undefined ? 0 : conditionalWait)
    const receipt = wait > 0 ? await api.waitForEnd(accepted, wait * 1000) : accepted
    ctx.status = receipt.open === 1 ? 202 : 200
    ctx.set('Location', `${api.publicUrl}/v1/receipts/${receipt.id}`)
    if (receipt.open === 1) ctx.set('Retry-After', lookAgainAfter)
    ctx.body = presentReceipt(receipt, actor, api.publicUrl)
  }
}

export function answerRead(route: ReadRoute, api: Api, turns: FairTurns): Answer {
  const { query, method, polled } = route
  const conditional = (route.conditional ?? route.tagged ?? polled) !== undefined
  const readQuery = queryReader(query.input)
  return async (ctx, actor) => {
    if (method === 'POST') refuseQuery(ctx.querystring)
    const path = pathParameters(ctx)
    const input = method === 'POST' ? await readJson(ctx, boundsOf(route)) : readQuery(ctx.querystring, path)
    const read = () => api.query(query, actor, input)
    // a polled read costs little, and may wait for the end of a receipt
    const output = await (polled || route.waits ? read() : turns.run(actor, read)).catch((error: unknown) => {
      throw asNotFound(error, path)
    })
    // the key may have been revoked while it waited
    if (route.waits) await api.authenticate(ctx.req.headers.authorization)
    if (polled?.stillOpen(output)) ctx.set('Retry-After', lookAgainAfter)
    if (!conditional) ctx.body = output as object
    else {
      const text = JSON.stringify(output)
      const tagged = route.tagged?.(output)
      const etag = tagged ? etagOf(JSON.stringify(tagged.hashed), tagged.revision) : etagOf(text)
      answerConditionally(ctx, text, etag)
    }
  }
}

function answerConditionally(ctx: Context, text: string, etag: string): void {
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

export function answerCall(route: CallRoute, api: Api): Answer {
  return async (ctx, actor) => {
    refuseQuery(ctx.querystring)
    const input = route.input === undefined ? undefined : await readJson(ctx, boundsOf(route))
    const output = await route.run(api, actor, input, pathParameters(ctx))
    ctx.status = route.status
    if (output !== undefined) ctx.body = output as object
  }
}
