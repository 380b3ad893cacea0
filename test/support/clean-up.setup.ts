/** Runs in each test file. Its hook is registered first, so it runs last. */
import { afterAll } from 'vitest'
import { cleanUpAll } from './clean-up.ts'

afterAll(cleanUpAll, 60_000)
