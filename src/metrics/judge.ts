/** The metric of the judge. It exists only if there is one. */
import { Counter, type Registry } from 'prom-client'
import type { JudgeOutcome, JudgeWatch } from '../questions/compare/ask-judge.ts'

const outcomes: readonly JudgeOutcome[] = ['judged', 'stored', 'unusable', 'unavailable']

/** `failures` counts the failures of all engines. */
export function judgeWatch(registry: Registry, failures: Counter<'engine'>): JudgeWatch {
  const pairs = new Counter({
    name: 'precedent_judged_pairs_total',
    help: 'Pairs of records, by outcome: judged now, verdict stored before, verdict unusable, or judge unavailable.',
    labelNames: ['outcome'],
    registers: [registry],
  })
  for (const outcome of outcomes) pairs.inc({ outcome }, 0)
  return {
    judged: (outcome, count) => pairs.inc({ outcome }, count),
    failed: () => failures.inc({ engine: 'judge' }),
  }
}
