import { defineConfig } from 'vitest/config'
import { fastFiles } from './test/support/fast-files.ts'
import { summary } from './test/support/summary.ts'

/** `npm run test:fast`: no engine, no other process, no file that takes long. */
export default defineConfig({
  test: {
    name: 'fast',
    include: fastFiles(),
    testTimeout: 120_000,
    hookTimeout: 120_000,
    globalSetup: ['test/support/run-folder.setup.ts'],
    setupFiles: ['test/support/clean-up.setup.ts', 'test/support/no-processes.setup.ts'],
    reporters: ['default', summary(new Map())],
    maxWorkers: 2,
    isolate: false,
  },
})
