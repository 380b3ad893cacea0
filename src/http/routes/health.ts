/** For operators: whether the process is alive, and whether it can work. */
import type { Route } from '../base/route.ts'

export const healthRoutes: readonly Route[] = [
  {
    kind: 'page',
    method: 'GET',
    path: '/livez',
    summary: 'Answers 200 as long as the process is alive.',
    show(ctx) {
      ctx.set('Cache-Control', 'no-store')
      ctx.body = { alive: true }
    },
  },
  {
    kind: 'page',
    method: 'GET',
    path: '/readyz',
    summary: 'Answers 200 if reads and writes work, else 503. Says what is wrong with which engine.',
    async show(ctx, api) {
      const readiness = await api.readiness()
      ctx.set('Cache-Control', 'no-store')
      ctx.status = readiness.ready ? 200 : 503
      if (!readiness.ready) ctx.set('Retry-After', '2')
      ctx.body = readiness
    },
  },
]
