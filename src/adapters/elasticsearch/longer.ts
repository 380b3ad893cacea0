/**
 * The terms of visible documents that begin with some letters. They are read from documents, because the engine knows no
 * terms of a part of an index: all that it could list itself would also tell terms that only hidden documents hold.
 */
import { longerTerms, type SearchFilter } from '../../ports/search.ts'
import { termsBeginning } from '../../text/places.ts'
import { hitsOf } from './candidates.ts'
import { all, visible } from './filters.ts'
import type { Searching } from './searching.ts'

/** Documents that are read, the newest that hold such a term. */
const documentsRead = 50

export async function longerOf(searching: Searching, filter: SearchFilter, beginning: string): Promise<string[]> {
  const query = all(...visible(filter), { prefix: { tokens: beginning } })
  const hits = await hitsOf(searching, filter, () => searching.newest(query, documentsRead))
  const found = new Set(hits.flatMap((hit) => termsBeginning(hit._source?.shown?.terms ?? '', beginning)))
  found.delete(beginning)
  return [...found].sort().slice(0, longerTerms)
}
