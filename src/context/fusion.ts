/**
 * Records that mean what is asked, whatever words they use: fused into what words find (text/scorer.ts), which lead.
 * Without an embedder, and while it is away, there is nothing of it.
 */
import type { Reads } from '../operation.ts'
import type { Candidate, Candidates, SearchFilter } from '../ports/search.ts'
import { nearness } from '../text/space.ts'

export interface Near {
  /** By id: from 0, no nearer than texts that have nothing to do with each other, to 1. */
  nearness: ReadonlyMap<string, number>
  /** Those that are near enough to be found by that alone, nearest first. */
  alone: readonly Candidate[]
}

/** Looked at, and found by meaning alone, in one search. */
const nearestAtMost = 100
const aloneAtMost = 50
/** From here on a record is found that shares no word with the question. */
const nearEnough = 0.2

/** undefined: search is by words alone. Never rejects. */
export async function nearTo(
  q: string,
  index: string,
  filter: SearchFilter,
  terms: readonly string[],
  { search, queryEmbedder }: Pick<Reads, 'search' | 'queryEmbedder'>,
): Promise<Near | undefined> {
  const query = await queryEmbedder?.embed(q)
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

/** Candidates of both kinds, each once. */
export function joined({ items }: Candidates, near: Near | undefined): readonly Candidate[] {
  if (near === undefined) return items
  const byWords = new Set(items.map(({ id }) => id))
  return [...items, ...near.alone.filter(({ id }) => !byWords.has(id))]
}
