/** Translates the filter of a search into clauses of Elasticsearch. */
import type { estypes } from '@elastic/elasticsearch'
import type { SearchFilter } from '../../ports/search.ts'
import { type SampleStep, sampleName } from './samples.ts'

export type Clause = estypes.QueryDslQueryContainer

/** What the caller can see. Part of every query, including counts. */
export function visible({ workspace, audiences, kinds }: SearchFilter): Clause[] {
  return [
    { term: { workspace } },
    { terms: { audience: [...audiences] } },
    ...(kinds === undefined ? [] : [{ terms: { kind: [...kinds] } }]),
  ]
}

/** The further conditions on candidates. */
export function wanted({ as_of, since, category, significance, surface, entity_type }: SearchFilter): Clause[] {
  const clauses: Clause[] = []
  if (category !== undefined) clauses.push({ term: { category } })
  if (significance !== undefined) clauses.push({ term: { significance } })
  if (surface !== undefined) clauses.push({ term: { surface } })
  if (entity_type !== undefined) clauses.push({ term: { entity_types: entity_type } })
  if (since !== undefined) clauses.push({ range: { valid_from: { gt: Date.parse(since) } } })
  if (as_of !== undefined) {
    const instant = Date.parse(as_of)
    clauses.push({ range: { valid_from: { lte: instant } } })
    // a record without an end has no valid_to
    clauses.push({ bool: { must_not: { range: { valid_to: { lte: instant } } } } })
  }
  return clauses
}

/** The document contains the term. */
export function holds(term: string): Clause {
  return { term: { tokens: term } }
}

export function inSample(step: SampleStep): Clause[] {
  return step === 0 ? [] : [{ term: { samples: sampleName(step) } }]
}

export function all(...clauses: Clause[]): Clause {
  return { bool: { filter: clauses } }
}

export function any(clauses: Clause[]): Clause {
  return { bool: { should: clauses, minimum_should_match: 1 } }
}
