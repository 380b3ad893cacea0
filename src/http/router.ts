/** Makes a router of the table of routes. It also answers unknown paths and methods. */
import assert from 'node:assert/strict'
import { type HttpMethod, Router } from '@koa/router'
import type { Context, Middleware, Next } from 'koa'
import type { Actor } from '../access/actor.ts'
import { requireScope } from '../access/scope.ts'
import { problem } from '../problem.ts'
import { answerCall, answerRead, answerWrite } from './answer.ts'
import { answerBatch } from './answer-batch.ts'
import type { Api } from './api.ts'
import type { Admission } from './middleware/admission.ts'
import type { FairTurns } from './middleware/fair-turns.ts'
import type { Slots } from './middleware/slots.ts'
import { toldOf } from './middleware/trace.ts'
import { type Route, scopeOf } from './route.ts'

export function routerOf(routes: readonly Route[], api: Api, { admit, imports, turns }: Admission): Middleware {
  const router = new Router({ sensitive: true })
  const handles: Handles = new Map()
  for (const route of routes) {
    const answer = answering(route, api, imports, turns)
    const handle =
      route.kind === 'page'
        ? (ctx: Context) => {
            toldOf(ctx).row = route.path
            return route.show(ctx, api)
          }
        : async (ctx: Context) => {
            toldOf(ctx).row = route.path
            const actor = await api.authenticate(ctx.req.headers.authorization)
            await admit(ctx, actor, route.kind === 'batch', async () => {
              const scope = scopeOf(route)
              if (scope !== null) requireScope(actor, scope)
              ctx.res.setHeader('Cache-Control', 'no-store')
              await answer(ctx, actor)
            })
          }
    router.register(route.path, [route.method], handle as Parameters<typeof router.register>[2])
    handles.set(route, handle)
  }
  const direct = directly(handles)
  const dispatch = router.routes()
  return async (ctx, next: Next) => {
    const found = direct(ctx)
    if (found) {
      await found(ctx)
      return
    }
    await dispatch(ctx as Parameters<typeof dispatch>[0], next)
    if ((ctx as unknown as { routeMatched?: boolean }).routeMatched !== true) answerUnrouted(ctx, router)
  }
}

type Handle = (ctx: Context) => Promise<void> | void
type Handles = Map<Route, Handle>

/**
 * Finds a row by one look-up if its path has no parameter, or ends with its only one. This covers nearly every request.
 * The others (percent-encoding, a slash at the end, HEAD) go to the router, which tries its patterns one by one.
 */
function directly(handles: Handles): (ctx: Context) => Handle | undefined {
  const plain = new Map<string, Handle>()
  const parametric = new Map<string, { name: string; handle: Handle }>()
  for (const [{ method, path }, handle] of handles) {
    const at = path.indexOf(':')
    if (at < 0) plain.set(`${method} ${path}`, handle)
    else if (path.indexOf('/', at) < 0) {
      assert(path[at - 1] === '/', 'a parameter is a whole segment')
      parametric.set(`${method} ${path.slice(0, at)}`, { name: path.slice(at + 1), handle })
    }
  }
  return (ctx) => {
    const { method, path } = ctx
    const found = plain.get(`${method} ${path}`)
    if (found) return found
    const from = path.lastIndexOf('/') + 1
    const row = parametric.get(`${method} ${path.slice(0, from)}`)
    if (!row || from === path.length || path.includes('%')) return undefined
    ;(ctx as unknown as { params: Record<string, string> }).params = { [row.name]: path.slice(from) }
    return row.handle
  }
}

type Answer = (ctx: Context, actor: Actor) => Promise<void>

function answering(route: Route, api: Api, imports: Slots, turns: FairTurns): Answer {
  switch (route.kind) {
    case 'write':
      return answerWrite(route, api, turns)
    case 'batch':
      return answerBatch(route, api, imports)
    case 'read':
      return answerRead(route, api, turns)
    case 'call':
      return answerCall(route, api)
    case 'page':
      return async () => {}
  }
}

function answerUnrouted(ctx: Context, router: Router): void {
  const methods = new Set(router.match(ctx.path, ctx.method).path.flatMap((layer) => layer.methods as HttpMethod[]))
  if (methods.size === 0) throw problem('not_found', 'There is nothing at this address. /docs shows what there is.')
  const allow = [...methods, 'OPTIONS'].sort().join(', ')
  if (ctx.method !== 'OPTIONS') {
    throw problem('method_not_allowed', `This path allows ${allow}.`, { headers: { Allow: allow } })
  }
  ctx.set('Allow', allow)
  ctx.status = 204
}
