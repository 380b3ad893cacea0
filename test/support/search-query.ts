import type { SearchQuery } from '../../src/ports/search.ts'

/** A query whose terms all count the same. */
export function equal(terms: readonly string[]): SearchQuery {
  return { terms, weights: terms.map(() => 1) }
}
