/** Every row of the server. */
import { adminRoutes } from './admin.ts'
import { docsRoutes } from './docs.ts'
import { healthRoutes } from './health.ts'
import type { Route } from './route.ts'
import { v1Routes } from './v1/routes.ts'

const described: readonly Route[] = [...v1Routes, ...adminRoutes, ...healthRoutes]

export const allRoutes: readonly Route[] = [...described, ...docsRoutes({ v1: v1Routes, all: described })]
