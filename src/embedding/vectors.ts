/** All vectors of one process: questions and records share one embedder. */

import type { WorkspaceId } from '../ids.ts'
import type { JournalPorts } from '../journal/ports.ts'
import { atMostEvery } from '../ports/at-most-every.ts'
import type { Embedder } from '../ports/embedder.ts'
import { noQueryEmbedder, type QueryEmbedder, queryEmbedder } from '../text/query-embedder.ts'
import { measuring } from '../text/space-measuring.ts'
import { embeddingWorker } from './embedding.ts'
import { type VectorGap, vectorGap } from './vector-gap.ts'

export interface Vectors {
  queryEmbedder: QueryEmbedder
  /** Called after indexing: this workspace has rows without vectors. */
  wake(workspace: WorkspaceId): void
  /** Embeds records that lack vectors (index worker). */
  give(): Promise<void>
  /** Why embedding fails now; undefined: it works. */
  fault(): string | undefined
  gap(): Promise<VectorGap>
  /** A message for /readyz if records have waited long for their vectors. Never rejects. */
  missing(): Promise<string[]>
}

/** ms. Gaps are cached this long, however many callers ask. */
const gapFreshFor = 5_000
/** ms. A vector usually follows its record within about a second, which is not worth reporting. */
const lateAfter = 10_000

/** Notified for metrics. Never throws. */
export interface VectorWatch {
  failed(): void
  asked(outcome: 'had' | 'missing'): void
  done(outcome: 'embedded' | 'refused', texts: number): void
}

export type VectorPorts = Pick<JournalPorts, 'documents' | 'search' | 'clock' | 'log'> & { embedder: Embedder }

export async function openVectors(ports: VectorPorts, watch: VectorWatch, stopping: AbortSignal): Promise<Vectors> {
  const { documents, search, clock, log, embedder } = ports
  const gap = atMostEvery(gapFreshFor, clock, () => vectorGap(documents, search, clock, embedder.model))
  const why = await search.vectorFault()
  if (why !== undefined) {
    log.warn({ why }, 'vectors cannot be compared; search uses words only')
    const none = async () => {}
    // `why` already explains the missing vectors
    const missing = async () => []
    return {
      queryEmbedder: noQueryEmbedder(embedder.model, why),
      wake: () => {},
      give: none,
      fault: () => why,
      gap,
      missing,
    }
  }
  const space = measuring(embedder, stopping)
  let told = false
  const forQueries = queryEmbedder({
    embedder,
    measuring: space,
    clock,
    stopping,
    asked: watch.asked,
    failure(reason) {
      if (reason !== undefined) watch.failed()
      // logged once per outage
      if (reason !== undefined && !told) log.warn({ why: reason }, 'embedder unavailable; search uses words only')
      if (reason === undefined) log.info('embedder available again; search uses meaning')
      told = reason !== undefined
    },
  })
  const worker = embeddingWorker(
    { documents, search, clock, log, embedder, measuring: space, done: watch.done, failed: watch.failed },
    stopping,
  )
  return {
    queryEmbedder: forQueries,
    wake: worker.wake,
    give: worker.look,
    fault: () => forQueries.fault() ?? worker.fault(),
    gap,
    async missing() {
      // an unavailable store is reported separately
      const { oldest } = await gap().catch(() => ({ oldest: 0 }))
      // the number is only in the metrics, because /readyz is public
      return oldest < lateAfter ? [] : ['embedder: some records have no vectors yet; they are found by words only']
    },
  }
}
