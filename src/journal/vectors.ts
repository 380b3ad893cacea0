/** Vectors in one process: of questions and of records, by one embedder, and what is told of both. */
import { atMostEvery } from '../ports/at-most-every.ts'
import type { Embedder } from '../ports/embedder.ts'
import type { WorkspaceId } from '../records/ids.ts'
import { noQueryEmbedder, type QueryEmbedder, queryEmbedder } from '../text/query-embedder.ts'
import { measuring } from '../text/space-measuring.ts'
import { embeddingWorker } from './embedding.ts'
import type { JournalPorts } from './ports.ts'
import { type VectorGap, vectorGap } from './vector-gap.ts'

export interface Vectors {
  queryEmbedder: QueryEmbedder
  /** After indexing: this workspace has rows without vectors. */
  wake(workspace: WorkspaceId): void
  /** Gives vectors to what lacks them (index worker). */
  give(): Promise<void>
  /** Why no vectors are to be had now; undefined: they are. */
  fault(): string | undefined
  gap(): Promise<VectorGap>
  /** What /readyz says of records that have waited long for theirs. Never rejects. */
  missing(): Promise<string[]>
}

/** What lacks vectors is read at most this often, however many ask, in ms. */
const gapFreshFor = 5_000
/** ms. A vector comes a second or so after its record: not worth telling. */
const lateAfter = 10_000

/** For metrics. Never throws. */
export interface VectorWatch {
  failed(): void
  asked(outcome: 'had' | 'missing'): void
  done(outcome: 'embedded' | 'refused', texts: number): void
}

export type VectorPorts = Pick<JournalPorts, 'documents' | 'search' | 'clock' | 'log'> & { embedder: Embedder }

export async function openVectors(ports: VectorPorts, watch: VectorWatch, stopping: AbortSignal): Promise<Vectors> {
  const { documents, search, clock, log, embedder } = ports
  const gap = atMostEvery(gapFreshFor, clock, () => vectorGap(documents, clock, embedder.model))
  const why = await search.vectorFault()
  if (why !== undefined) {
    log.warn({ why }, 'vectors cannot be compared: search is by words alone')
    const none = async () => {}
    // that these are missing is said by why
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
      // once for each time that it is away
      if (reason !== undefined && !told) log.warn({ why: reason }, 'questions are searched for by words alone')
      if (reason === undefined) log.info('questions are searched for by meaning again')
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
      // a store that is away is a problem by itself
      const { oldest } = await gap().catch(() => ({ oldest: 0 }))
      // how many is in the metrics: anybody may ask for this
      return oldest < lateAfter ? [] : ['embedder: some records have no vectors yet: these are found by words alone']
    },
  }
}
