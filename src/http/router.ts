/** Makes a router of the table of routes. It also answers unknown paths and methods. */
import assert from 'node:assert/strict'
import { type HttpMethod, Router } from '@koa/router'
import type { Context, Middleware, Next } from 'koa'
import { type Actor, requireScope } from '../access/actor.ts'
import { problem } from '../problem.ts'
import type { Admission } from './admission/admission.ts'
import { answerCall, answerRead, answerWrite } from './answer.ts'
import { answerBatch } from './answer-batch.ts'
import { answerHook } from './answer-hook.ts'
import { answerMcp } from './answer-mcp.ts'
import { answerStream, type Streaming } from './answer-stream.ts'
import type { Api } from './base/api.ts'
import { type HookRoute, type McpRoute, type PageRoute, type Route, type StreamRoute, scopeOf } from './base/route.ts'
import { toldOf } from './base/trace.ts'

export interface Serving extends Streaming {
  /** Web pages of these origins may call the service. */
  allowedOrigins: readonly string[]
}

export function routerOf(routes: readonly Route[], api: Api, admission: Admission, serving: Serving): Middleware {
  const router = new Router({ sensitive: true })
  const handles: Handles = new Map()
  for (const route of routes) {
    const key = keyOf(route)
    const handle = handleOf(route, api, admission, serving)
    const other = handles.get(key)
    if (other === undefined) handles.set(key, { route, handle })
    else handles.set(key, { route, handle: byAccept([other, { route, handle }]) })
  }
  // the first match answers: /decisions/search must not be taken for /decisions/:id
  const rows = [...handles.values()].sort((a, b) => parametersIn(a.route) - parametersIn(b.route))
  for (const { route, handle } of rows) {
    router.register(spanning(route.path), [route.method], handle as Parameters<typeof router.register>[2])
  }
  // a map of paths would save 2.5 µs per request, too little for a router of our own
  const dispatch = router.routes()
  return async (ctx, next: Next) => {
    await dispatch(ctx as Parameters<typeof dispatch>[0], next)
    if ((ctx as unknown as { routeMatched?: boolean }).routeMatched !== true) answerUnrouted(ctx, router)
  }
}

type Handle = (ctx: Context) => Promise<void> | void
interface Row {
  route: Route
  handle: Handle
}
/** By method and path. */
type Handles = Map<string, Row>

/** The name of a repository may be sent as `owner/name` too, not only as `owner%2Fname`. */
const spanning = (path: string) => path.replace(':repo_full_name', '*repo_full_name')
const keyOf = ({ method, path }: Route) => `${method} ${path}`
const parametersIn = ({ path }: Route) => path.split('/:').length - 1

function handleOf(route: Route, api: Api, admission: Admission, serving: Serving): Handle {
  if (route.kind === 'page') {
    return (ctx) => {
      toldOf(ctx).row = route.path
      return route.show(ctx, api)
    }
  }
  if (route.kind === 'stream') {
    const answer = answerStream(route, api, admission, serving)
    return async (ctx) => {
      toldOf(ctx).row = route.path
      await answer(ctx)
    }
  }
  if (route.kind === 'mcp') {
    const answer = answerMcp(api, admission, serving.allowedOrigins)
    return async (ctx) => {
      toldOf(ctx).row = route.path
      await answer(ctx)
    }
  }
  if (route.kind === 'hook') {
    const answer = answerHook(api, admission)
    return async (ctx) => {
      toldOf(ctx).row = route.path
      await answer(ctx)
    }
  }
  const answer = answering(route, api, admission)
  return async (ctx) => {
    toldOf(ctx).row = route.path
    const actor = await api.authenticate(ctx.req.headers.authorization)
    await admission.admit(ctx, actor, route.kind === 'batch', async () => {
      const scope = scopeOf(route)
      if (scope !== null) requireScope(actor, scope)
      ctx.res.setHeader('Cache-Control', 'no-store')
      await answer(ctx, actor)
    })
  }
}

/** A stream and a read with the same path: the stream is for clients that prefer `text/event-stream`. */
function byAccept(rows: readonly [Row, Row]): Handle {
  const stream = rows.find(({ route }) => route.kind === 'stream')?.handle
  const read = rows.find(({ route }) => route.kind === 'read')?.handle
  assert(stream !== undefined && read !== undefined, 'only a stream and a read may share a path')
  return (ctx) => {
    ctx.vary('Accept')
    return ctx.accepts('application/json', 'text/event-stream') === 'text/event-stream' ? stream(ctx) : read(ctx)
  }
}

type Answer = (ctx: Context, actor: Actor) => Promise<void>

function answering(
  route: Exclude<Route, PageRoute | HookRoute | StreamRoute | McpRoute>,
  api: Api,
  { imports, turns }: Admission,
): Answer {
  switch (route.kind) {
    case 'write':
      return answerWrite(route, api, turns)
    case 'batch':
      return answerBatch(route, api, imports)
    case 'read':
      return answerRead(route, api, turns)
    case 'call':
      return answerCall(route, api)
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
