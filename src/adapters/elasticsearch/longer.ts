/**
 * The terms of visible documents that begin with some letters. They are read from documents, because the engine knows no
 * terms of a part of an index: all that it could list itself would also tell terms that only hidden documents hold.
 */
import { longerTerms, type SearchFilter } from '../../ports/search.ts'
import { termsBeginning } from '../../text/places.ts'
import { hitsOf } from './candidates.ts'
import { visible } from './filters.ts'
import type { Searching } from './searching.ts'

/** Documents that are read in each round: the newest that hold such a term, and none of those found before. */
const documentsRead = 50
const rounds = 3

export async function longerOf(searching: Searching, filter: SearchFilter, beginning: string): Promise<string[]> {
  const filters = [...visible(filter), { prefix: { tokens: beginning } }]
  const found = new Set<string>()
  for (let round = 0; round < rounds && found.size < longerTerms; round++) {
    const query = { bool: { filter: filters, must_not: { terms: { tokens: [...found] } } } }
    const hits = await hitsOf(searching, filter, () => searching.newest(query, documentsRead))
    for (const hit of hits)
      for (const term of termsBeginning(hit._source?.shown?.terms ?? '', beginning)) found.add(term)
    if (hits.length < documentsRead) break
  }
  found.delete(beginning)
  return [...found].sort().slice(0, longerTerms)
}
