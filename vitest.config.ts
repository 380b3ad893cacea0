import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // starts an engine when a test first asks for it
    globalSetup: ['test/support/engines.setup.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // two cores: more workers would only make the timing of real processes worse
    maxWorkers: 2,
  },
})
