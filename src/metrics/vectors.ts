/** The metrics of vectors. They exist only if there is an embedder. */
import { Counter, Gauge, type Registry } from 'prom-client'
import type { VectorGap } from '../embedding/vector-gap.ts'
import type { VectorWatch } from '../embedding/vectors.ts'

/** `failures` counts the failures of all engines. */
export function vectorWatch(registry: Registry, failures: Counter<'engine'>): VectorWatch {
  const questions = new Counter({
    name: 'precedent_question_vectors_total',
    help: 'Search queries, by outcome: the vector was ready in time (had), or only words were matched (missing).',
    labelNames: ['outcome'],
    registers: [registry],
  })
  const records = new Counter({
    name: 'precedent_record_vectors_total',
    help: 'Records that this process has embedded, or that the embedder has refused.',
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

/** Adds gauges for the records without vectors. They are left out while they cannot be read. */
export function addGapGauges(registry: Registry, gap: () => Promise<VectorGap>): void {
  const missing = new Gauge({
    name: 'precedent_vectors_missing',
    help: 'Changes of records that have no vector yet, counted up to 10,000.',
    registers: [registry],
  })
  const oldest = new Gauge({
    name: 'precedent_oldest_missing_vector_seconds',
    help: 'Age of the oldest change of a record that has no vector yet, in seconds. 0: there is none.',
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
