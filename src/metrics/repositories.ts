/** The metrics of connected repositories. They exist only if there are any. */
import { Gauge, Histogram, type Registry } from 'prom-client'
import type { RepositoryFigures } from '../code/operating/figures.ts'
import { atMostEvery } from '../ports/at-most-every.ts'
import type { Clock } from '../ports/clock.ts'

/** ms. The figures are read at most this often, however many clients request the metrics. */
const freshFor = 5_000
/** Seconds: from a push of a few files to a first index of a large repository. */
const indexingBuckets = [0.1, 0.5, 1, 2.5, 5, 15, 30, 60, 300, 900, 1800, 3600]
const outcomes = ['indexed', 'failed'] as const

/** Observes how long an attempt took. Looks that found nothing to do are not counted. */
export function indexingWatch(registry: Registry): (outcome: string, ms: number) => void {
  const seconds = new Histogram({
    name: 'precedent_repository_indexing_seconds',
    help: 'Time from the question to the remote until the new commit is served, or until it failed, in seconds.',
    labelNames: ['outcome'],
    buckets: indexingBuckets,
    registers: [registry],
  })
  for (const outcome of outcomes) seconds.zero({ outcome })
  return (outcome, ms) => {
    if (outcomes.some((one) => one === outcome)) seconds.observe({ outcome }, ms / 1000)
  }
}

/** Adds gauges. They are left out while they can't be read, because an old value would look correct. */
export function addRepositoryGauges(registry: Registry, clock: Clock, read: () => Promise<RepositoryFigures>): void {
  const gauge = (name: string, help: string, labelNames: string[] = []) =>
    new Gauge({ name, help, labelNames, registers: [registry] })
  const repositories = gauge('precedent_repositories', 'Connected repositories by state.', ['state'])
  const behind = gauge(
    'precedent_repository_behind_seconds',
    'How long the newest commit of a repository is known and not indexed, in seconds: the longest of all. 0: none is behind.',
  )
  const skipped = gauge(
    'precedent_repository_skipped_files',
    'Files of all connected repositories that are not searched, by reason.',
    ['reason'],
  )
  const all = [repositories, behind, skipped]

  const collect = atMostEvery(freshFor, clock, async () => {
    const found = await read().catch(() => undefined)
    for (const one of [repositories, skipped]) one.reset()
    behind.remove()
    if (found === undefined) return
    for (const [state, count] of Object.entries(found.states)) repositories.set({ state }, count)
    for (const [reason, count] of Object.entries(found.skipped)) skipped.set({ reason }, count)
    behind.set(found.behindMs / 1000)
  })
  for (const one of all) (one as unknown as { collect: () => Promise<void> }).collect = collect
}
