/** What is counted of vectors, where there is an embedder. */
import { Counter, Gauge, type Registry } from 'prom-client'
import type { VectorGap } from '../journal/vector-gap.ts'
import type { VectorWatch } from '../journal/vectors.ts'

/** `failures` counts those of all engines. */
export function vectorWatch(registry: Registry, failures: Counter<'engine'>): VectorWatch {
  const questions = new Counter({
    name: 'precedent_question_vectors_total',
    help: 'Questions that were searched for, by whether their vector was to be had in time.',
    labelNames: ['outcome'],
    registers: [registry],
  })
  const records = new Counter({
    name: 'precedent_record_vectors_total',
    help: 'Records that this process gave a vector, or that the embedder takes in no form.',
    labelNames: ['outcome'],
    registers: [registry],
  })
  for (const outcome of ['had', 'missing']) questions.inc({ outcome }, 0)
  for (const outcome of ['embedded', 'refused']) records.inc({ outcome }, 0)
  return {
    failed: () => failures.inc({ engine: 'embedder' }),
    asked: (outcome) => questions.inc({ outcome }),
    done: (outcome, texts) => records.inc({ outcome }, texts),
  }
}

/** How much lacks vectors; left out while that can't be read. */
export function tellGap(registry: Registry, gap: () => Promise<VectorGap>): void {
  const missing = new Gauge({
    name: 'precedent_vectors_missing',
    help: 'Changes of records beyond what has vectors, counted up to 10,000.',
    registers: [registry],
  })
  const oldest = new Gauge({
    name: 'precedent_oldest_missing_vector_seconds',
    help: 'Age of the oldest of these, 0: there is none.',
    registers: [registry],
  })
  const collect = async () => {
    const found = await gap().catch(() => undefined)
    missing.remove()
    oldest.remove()
    if (found === undefined) return
    missing.set(found.rows)
    oldest.set(found.oldest / 1000)
  }
  for (const one of [missing, oldest]) (one as unknown as { collect: () => Promise<void> }).collect = collect
}
