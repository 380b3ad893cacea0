/** What a search lets through, as clauses of Elasticsearch. */
import type { estypes } from '@elastic/elasticsearch'
import type { SearchFilter } from '../../ports/search.ts'
import { type SampleStep, sampleName } from './samples.ts'

export type Clause = estypes.QueryDslQueryContainer

/** What the caller sees: stands in every query, for counts too. */
export function visible({ workspace, audiences, kinds }: SearchFilter): Clause[] {
  return [
    { term: { workspace } },
    { terms: { audience: [...audiences] } },
    ...(kinds === undefined ? [] : [{ terms: { kind: [...kinds] } }]),
  ]
}

/** What of it may be a candidate, beyond that. */
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
    // what has no end has no valid_to
    clauses.push({ bool: { must_not: { range: { valid_to: { lte: instant } } } } })
  }
  return clauses
}

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
