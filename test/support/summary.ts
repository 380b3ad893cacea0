/** Prints at the end of the run which tests passed and failed, and which were skipped, with the reason. */
import type { Reporter, TestCase } from 'vitest/node'

/** `skipped`: reasons why a part of the suite is not in the run. */
export function summary(skipped: ReadonlyMap<string, string>): Reporter {
  return {
    onTestRunEnd(modules, errors) {
      const tests = modules.flatMap((module) => [...module.children.allTests()])
      const inState = (state: string) => tests.filter((test) => test.result().state === state)
      // a file that can't be loaded has no tests
      const broken = modules.filter((module) => module.state() === 'failed' && module.errors().length > 0)
      const left = [...skipped].map(([what, reason]) => `${what}: ${reason}`)
      const lines = [...left, ...linesOf(inState('skipped'))]
      if (lines.length > 0)
        console.log(['', 'Skipped:', ...lines.map((line) => `  ${line}`), '', ...remedies].join('\n'))
      const failed = inState('failed').length + broken.length + errors.length
      console.log(`\n${inState('passed').length} passed, ${failed} failed, ${inState('skipped').length} skipped\n`)
    },
  }
}

const remedies = [
  'To test with engines, set PRECEDENT_TEST_MONGODB_URL, PRECEDENT_TEST_REDIS_URL and PRECEDENT_TEST_ELASTICSEARCH_URL.',
  'Tests that stop an engine start their own: PRECEDENT_TEST_ENGINES names the folder of the engines.',
  'PRECEDENT_TEST_DATA names the folder of the documents `adr` and `ir`.',
]

/** A line for each reason. */
function linesOf(tests: readonly TestCase[]): string[] {
  const byReason = new Map<string, TestCase[]>()
  for (const test of tests) {
    const result = test.result()
    const note = result.state === 'skipped' ? result.note : undefined
    const reason = note ?? test.meta().skipped ?? 'not selected'
    byReason.set(reason, [...(byReason.get(reason) ?? []), test])
  }
  return [...byReason].map(([reason, some]) => {
    const files = new Set(some.map((test) => test.module.relativeModuleId))
    return `${count(some.length, 'test')} in ${files.size === 1 ? [...files] : count(files.size, 'file')}: ${reason}`
  })
}

function count(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? '' : 's'}`
}
