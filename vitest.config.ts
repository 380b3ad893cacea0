import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { scaledEngines } from './test/support/profile.ts'
import { SpreadWaits } from './test/support/sequencer.ts'
import { whyNot } from './test/support/start-engine.ts'
import { summary } from './test/support/summary.ts'

/** Why the scaled profile is not tested; undefined: it is. */
const reason = scaledEngines.map(whyNot).find((one) => one !== undefined)

const shared = {
  // ms. Far beyond what any test takes on an idle machine: a busy one must not fail them
  testTimeout: 120_000,
  hookTimeout: 120_000,
  setupFiles: ['test/support/clean-up.setup.ts'],
}

/**
 * No engine makes a difference to them: they test the server in front of the service (connections, headers, origins,
 * compression, limits), what is generated from the table of routes, or routes of their own.
 */
const withoutService = [
  ...['server', 'cross-origin', 'compression', 'slots', 'rate-limit', 'fair-turns', 'surface/lists', 'surface/streams'],
  ...['surface/documents', 'examples', 'docs', 'console', 'generated-client', 'startup-gate'],
].map((name) => `test/http/${name}.test.ts`)
/**
 * Tested on the embedded profile only. They test rules of decisions and their questions, without HTTP. What these rules
 * need of an engine is tested on each engine (test/contracts). Random histories of the same writes run on both profiles
 * (flows/time, flows/visibility).
 */
const rules = ['old-proposals', 'proposed-revision', 'repeats', 'supersession'].map(
  (name) => `test/flows/${name}.test.ts`,
)
/** On real servers: the same files again, and those that need several processes. */
const scaledFiles = [
  ...testsIn('test/flows').filter((file) => !rules.includes(file)),
  ...testsIn('test/http').filter((file) => !withoutService.includes(file)),
  ...['bodies', 'access', 'hidden', 'mcp-hidden'].map((name) => `test/attacks/${name}.test.ts`),
  'test/mcp/concurrency.test.ts',
  'test/code/leftovers.test.ts',
  // how programs misbehave makes no difference to the engines: run-programs is tested on one profile
  'test/faults/runs.test.ts',
]

function testsIn(folder: string): string[] {
  return readdirSync(join(import.meta.dirname, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.test.ts'))
    .map((file) => join(folder, file))
}

export default defineConfig({
  test: {
    // once, for all projects. The last one starts an engine when a test first asks for it
    globalSetup: ['run-folder', 'programs', 'engines'].map((name) => `test/support/${name}.setup.ts`),
    reporters: [
      'default',
      summary(new Map(reason === undefined ? [] : [[`scaled profile, ${scaledFiles.length} files`, reason]])),
    ],
    // for two cores: one of the workers waits most of the time (SpreadWaits)
    maxWorkers: 3,
    sequence: { sequencer: SpreadWaits },
    projects: [
      {
        test: {
          ...shared,
          name: 'embedded',
          isolate: false,
          include: ['test/**/*.test.ts'],
          exclude: ['test/flows/scaled/**', 'test/quality/code/questions/*/trees/**'],
          // openapi-typescript calls the JavaScript API of TypeScript, which TypeScript 7 no longer has
          alias: [{ find: /^typescript$/, replacement: join(import.meta.dirname, 'test/support/typescript.ts') }],
          server: { deps: { inline: ['openapi-typescript'] } },
        },
      },
      ...(reason === undefined
        ? [
            {
              test: {
                ...shared,
                name: 'scaled',
                isolate: false,
                include: scaledFiles,
                env: { PRECEDENT_TEST_PROFILE: 'scaled' },
              },
            },
          ]
        : []),
    ],
  },
})
