/**
 * Finds records by nearness of vectors and joins them with the candidates that match words (text/scorer.ts ranks both).
 * Without an embedder, or if it is unavailable, search matches words only.
 */
import type { Reads } from '../operation.ts'
import type { Candidate, Candidates, SearchFilter } from '../ports/search.ts'
import type { QueryVector } from '../text/query-embedder.ts'
import { nearness } from '../text/space.ts'

export interface Near {
  /** By row id, from 0 (as near as unrelated texts) to 1. */
  nearness: ReadonlyMap<string, number>
  /** Candidates near enough to be found without a common word, nearest first. */
  alone: readonly Candidate[]
}

/** Nearest records that one search reads. */
const nearestAtMost = 100
/** Records without a common word that one search may find. */
const aloneAtMost = 50
/** Nearness from which on a record is found although it shares no word with the query. */
const nearEnough = 0.2

/** `embedding`: the vector of the query. undefined: no vectors are available, so the search matches words only. Never rejects. */
export async function nearTo(
  embedding: Promise<QueryVector | undefined> | undefined,
  index: string,
  filter: SearchFilter,
  terms: readonly string[],
  { search, queryEmbedder }: Pick<Reads, 'search' | 'queryEmbedder'>,
): Promise<Near | undefined> {
  const query = await embedding
  if (queryEmbedder === undefined || query === undefined) return undefined
  try {
    const found = await search.nearest(index, filter, query.vector, terms, nearestAtMost)
    const near = found.flatMap(({ cosine, ...candidate }) => {
      const value = nearness(cosine, query.space)
      return value > 0 ? [{ candidate, value }] : []
    })
    return {
      nearness: new Map(near.map(({ candidate, value }) => [candidate.id, value])),
      alone: near.flatMap(({ candidate, value }) => (value >= nearEnough ? [candidate] : [])).slice(0, aloneAtMost),
    }
  } catch (error) {
    queryEmbedder.failed(error)
    return undefined
  }
}

/** All candidates, each once. */
export function joined({ items }: Candidates, near: Near | undefined): readonly Candidate[] {
  if (near === undefined) return items
  const byWords = new Set(items.map(({ id }) => id))
  return [...items, ...near.alone.filter(({ id }) => !byWords.has(id))]
}
