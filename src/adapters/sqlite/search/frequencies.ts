/** Counts the visible documents that hold each of many terms. Terms that none holds are by far the cheapest. */
import { performance } from 'node:perf_hooks'
import type { SearchFilter } from '../../../ports/search.ts'
import { type Database, statement } from '../base/database.ts'
import { keptByExpression } from './kept.ts'
import { documentsIn, visibleScopes } from './postings.ts'
import { encode, tokenOfTerm } from './schema.ts'

/** ms. A term of many scopes may take longer. */
const longestPiece = 2

/**
 * Counts the first of these terms, as many as take little time, but at least one. A term takes about as long as its
 * count is high, and longer for callers who see many scopes.
 */
export function someFrequencies(
  db: Database,
  index: number,
  filter: SearchFilter,
  terms: readonly string[],
  atMost: number,
): number[] {
  const scopes = visibleScopes(db, index, filter)
  if (scopes.length === 0) return terms.map(() => 0)
  const documents = documentsIn(scopes)
  const began = performance.now()
  const count = statement(
    db,
    'SELECT count(*) FROM (SELECT 1 FROM search_postings WHERE search_postings MATCH ? LIMIT ?)',
  )
  const counts: number[] = []
  for (const term of terms) {
    const encoded = encode(term)
    const any = scopes.map(({ number }) => `"${tokenOfTerm(number, encoded)}"`).join(' OR ')
    if (isKnownFrequent(db, any, atMost, documents)) {
      counts.push(atMost)
      continue
    }
    const [found] = count.get(any, atMost) as [number]
    counts.push(found)
    if (found === atMost && atMost >= leastKept) frequent.keep(db, any, { atLeast: atMost, documents })
    if (performance.now() - began > longestPiece) break
  }
  return counts
}

interface Frequent {
  atLeast: number
  /** Documents in the scopes when it was counted. If there are fewer now, it is counted again. */
  documents: number
}

/** Most texts have the same frequent words, and counting these takes longest. */
const frequent = keptByExpression<Frequent>(5_000)
/** Terms in fewer documents are counted each time: such a count must not include a document that was deleted since. */
const leastKept = 500

function isKnownFrequent(db: Database, expression: string, atMost: number, documents: number): boolean {
  const known = frequent.get(db, expression)
  return known !== undefined && known.atLeast >= atMost && known.documents <= documents
}
