import { defineConfig } from 'vitest/config'
import { scaledEngines } from './test/support/profile.ts'
import { whyNot } from './test/support/start-engine.ts'

/** Why the scaled profile is not tested; undefined: it is. */
const skipped = scaledEngines.map(whyNot).find((reason) => reason !== undefined)
if (skipped !== undefined) console.warn(`The scaled profile is skipped: ${skipped}.`)

/** ms. Far beyond what any test takes on an idle machine: a busy one must not fail them. */
const limits = { testTimeout: 120_000, hookTimeout: 120_000 }
/** On real servers: the same files again, and those that need several processes. */
const scaled = {
  test: {
    ...limits,
    name: 'scaled',
    include: [
      'test/flows/**/*.test.ts',
      'test/http/**/*.test.ts',
      'test/attacks/bodies.test.ts',
      'test/attacks/access.test.ts',
      'test/attacks/hidden.test.ts',
    ],
    // no service in them
    exclude: ['slots', 'rate-limit', 'fair-turns', 'examples'].map((name) => `test/http/${name}.test.ts`),
    env: { PRECEDENT_TEST_PROFILE: 'scaled' },
  },
}

export default defineConfig({
  test: {
    // once, for all projects: starts an engine when a test first asks for it
    globalSetup: ['test/support/engines.setup.ts'],
    // two cores: more workers would only make the timing of real processes worse
    maxWorkers: 2,
    projects: [
      {
        test: {
          ...limits,
          name: 'embedded',
          include: ['test/**/*.test.ts'],
          exclude: ['test/flows/scaled/**'],
        },
      },
      ...(skipped === undefined ? [scaled] : []),
    ],
  },
})
