/** All rows of the server. */
import type { Route } from './base/route.ts'
import { consoleRoutes } from './console.ts'
import { adminGuide } from './docs/admin-guide.ts'
import { docsRoutes } from './docs/docs.ts'
import { guide } from './docs/guide.ts'
import { guideV2 } from './docs/guide-v2.ts'
import type { ApiDocument } from './docs/openapi/describe.ts'
import { adminRoutes } from './routes/admin.ts'
import { healthRoutes } from './routes/health.ts'
import { hookRoutes } from './routes/hooks.ts'
import { mcpRoutes } from './routes/mcp.ts'
import { metricsRoutes, openMetrics } from './routes/metrics.ts'
import { v1Routes } from './routes/v1.ts'
import { v2Routes } from './routes/v2.ts'

/** Rows of a worker process. Only operators reach its address. */
export const workerRoutes: readonly Route[] = [...healthRoutes, openMetrics]

/** The documents that /docs offers. */
export const documents: readonly ApiDocument[] = [
  { name: 'v1', title: 'Precedent', version: '1.0.0', path: '/openapi.json', describe: guide, routes: v1Routes },
  {
    name: 'v2',
    title: 'Precedent v2',
    version: '2.0.0',
    path: '/api/v2/openapi.json',
    describe: guideV2,
    routes: v2Routes,
  },
  {
    name: 'Administration',
    title: 'Precedent: administration',
    version: '1.0.0',
    path: '/admin/openapi.json',
    describe: adminGuide,
    routes: adminRoutes,
  },
]

export const allRoutes: readonly Route[] = [
  ...v1Routes,
  ...v2Routes,
  ...mcpRoutes,
  ...hookRoutes,
  ...adminRoutes,
  ...healthRoutes,
  ...metricsRoutes,
  ...docsRoutes(documents),
  ...consoleRoutes,
]
