/** All rows of the server. */
import { adminRoutes } from './admin.ts'
import { docsRoutes } from './docs.ts'
import { healthRoutes } from './health.ts'
import { metricsRoutes, openMetrics } from './metrics.ts'
import type { Route } from './route.ts'
import { v1Routes } from './v1/routes.ts'

/** Rows of a worker process. Only operators reach its address. */
export const workerRoutes: readonly Route[] = [...healthRoutes, openMetrics]

const described: readonly Route[] = [...v1Routes, ...adminRoutes, ...healthRoutes, ...metricsRoutes]

export const allRoutes: readonly Route[] = [...described, ...docsRoutes({ v1: v1Routes, all: described })]
