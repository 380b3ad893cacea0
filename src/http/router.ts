/** From the table of routes to a router. What a path or a method doesn't know is answered here too. */
import { type HttpMethod, Router } from '@koa/router'
import type { Context, Middleware, Next } from 'koa'
import type { Actor } from '../access/actor.ts'
import { requireScope } from '../access/scope.ts'
import { problem } from '../problem.ts'
import { answerCall, answerRead, answerWrite } from './answer.ts'
import { answerBatch } from './answer-batch.ts'
import { rateLimit } from './middleware/rate-limit.ts'
import { type Slots, slots } from './middleware/slots.ts'
import { type Route, scopeOf } from './route.ts'
import type { Served } from './served.ts'

/** Bodies of imports that are held in memory at one time. */
const importsAtOnce = 2

/** `limit`: requests a second for each credential, 0 for none. */
export function routerOf(routes: readonly Route[], served: Served, limit: number): Middleware {
  const router = new Router({ sensitive: true })
  const limited = rateLimit(limit)
  const imports = slots(importsAtOnce)
  for (const route of routes) {
    const answer = answering(route, served, imports)
    const handle =
      route.kind === 'page'
        ? (ctx: Context) => route.show(ctx, served)
        : async (ctx: Context) => {
            const actor = await served.authenticate(ctx.req.headers.authorization)
            await limited(ctx, actor.credential)
            const scope = scopeOf(route)
            if (scope !== null) requireScope(actor, scope)
            ctx.set('Cache-Control', 'no-store')
            await answer(ctx, actor)
          }
    router.register(route.path, [route.method], handle as Parameters<typeof router.register>[2])
  }
  const dispatch = router.routes()
  return async (ctx, next: Next) => {
    await dispatch(ctx as Parameters<typeof dispatch>[0], next)
    if ((ctx as unknown as { routeMatched?: boolean }).routeMatched !== true) answerUnrouted(ctx, router)
  }
}

type Answer = (ctx: Context, actor: Actor) => Promise<void>

function answering(route: Route, served: Served, imports: Slots): Answer {
  switch (route.kind) {
    case 'write':
      return answerWrite(route, served)
    case 'batch':
      return answerBatch(route, served, imports)
    case 'read':
      return answerRead(route, served)
    case 'call':
      return answerCall(route, served)
    case 'page':
      return async () => {}
  }
}

function answerUnrouted(ctx: Context, router: Router): void {
  const methods = new Set(router.match(ctx.path, ctx.method).path.flatMap((layer) => layer.methods as HttpMethod[]))
  if (methods.size === 0) throw problem('not_found', 'There is nothing at this address. /docs shows what there is.')
  const allow = [...methods, 'OPTIONS'].sort().join(', ')
  if (ctx.method !== 'OPTIONS') {
    throw problem('method_not_allowed', `This path knows ${allow}.`, { headers: { Allow: allow } })
  }
  ctx.set('Allow', allow)
  ctx.status = 204
}
