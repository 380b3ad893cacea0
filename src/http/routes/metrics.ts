/** Metrics for Prometheus. They cover all workspaces, so only operators may read them. */
import type { Context } from 'koa'
import { requireScope } from '../../access/actor.ts'
import { firstWorkspace } from '../../access/workspaces.ts'
import { problem } from '../../problem.ts'
import type { Api } from '../base/api.ts'
import type { Route } from '../base/route.ts'

export const metricsRoutes: readonly Route[] = [
  {
    kind: 'page',
    method: 'GET',
    path: '/metrics',
    summary: 'Metrics in the text format of Prometheus. Needs an admin key of the first workspace.',
    async show(ctx, api) {
      const actor = await api.authenticate(ctx.req.headers.authorization)
      requireScope(actor, 'admin')
      if (actor.workspace !== firstWorkspace) {
        throw problem('insufficient_scope', 'Only admins of the first workspace may read the metrics.')
      }
      await show(ctx, api)
    },
  },
]

/** For a worker process, which only operators reach. */
export const openMetrics: Route = {
  kind: 'page',
  method: 'GET',
  path: '/metrics',
  summary: 'Metrics in the text format of Prometheus.',
  show,
}

async function show(ctx: Context, api: Api): Promise<void> {
  ctx.set('Cache-Control', 'no-store')
  ctx.body = await api.metrics()
  ctx.set('Content-Type', 'text/plain; version=0.0.4; charset=utf-8')
}
