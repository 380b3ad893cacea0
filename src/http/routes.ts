/** Every row of the server. */
import { adminRoutes } from './admin.ts'
import { docsRoutes } from './docs.ts'
import { healthRoutes } from './health.ts'
import { metricsRoutes, openMetrics } from './metrics.ts'
import type { Route } from './route.ts'
import { v1Routes } from './v1/routes.ts'

/** Of a process that answers no callers: its address is for those who run the service. */
export const workerRoutes: readonly Route[] = [...healthRoutes, openMetrics]

const described: readonly Route[] = [...v1Routes, ...adminRoutes, ...healthRoutes, ...metricsRoutes]

export const allRoutes: readonly Route[] = [...described, ...docsRoutes({ v1: v1Routes, all: described })]
