/** For those who run the service: whether the process lives, and whether it can do its work. */
import type { Route } from './route.ts'

export const healthRoutes: readonly Route[] = [
  {
    kind: 'page',
    method: 'GET',
    path: '/livez',
    summary: '200 as long as the process answers.',
    show(ctx) {
      ctx.set('Cache-Control', 'no-store')
      ctx.body = { alive: true }
    },
  },
  {
    kind: 'page',
    method: 'GET',
    path: '/readyz',
    summary: '200 when writes and reads work, else 503; says what is wrong with which engine.',
    async show(ctx, api) {
      const readiness = await api.readiness()
      ctx.set('Cache-Control', 'no-store')
      ctx.status = readiness.ready ? 200 : 503
      if (!readiness.ready) ctx.set('Retry-After', '2')
      ctx.body = readiness
    },
  },
]
