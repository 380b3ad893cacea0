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
export function wanted(filter: SearchFilter): Clause[] {
  const { as_of, since, until, category, significance, surface, entity_type, tags = [], except } = filter
  const clauses: Clause[] = []
  if (category !== undefined) clauses.push({ term: { category } })
  if (significance !== undefined) clauses.push({ term: { significance } })
  if (surface !== undefined) clauses.push({ term: { surface } })
  if (entity_type !== undefined) clauses.push({ term: { entity_types: entity_type } })
  for (const any of tags) clauses.push({ terms: { tags: [...any] } })
  if (since !== undefined) clauses.push({ range: { dated: { gt: Date.parse(since) } } })
  if (until !== undefined) clauses.push({ range: { dated: { lte: Date.parse(until) } } })
  if (as_of !== undefined) clauses.push(...validAt(as_of))
  if (except !== undefined) {
    clauses.push({ bool: { must_not: all({ term: { tags: except.tag } }, ...validAt(except.as_of)) } })
  }
  return clauses
}

function validAt(as_of: string): Clause[] {
  const instant = Date.parse(as_of)
  // a record without an end has no valid_to
  return [
    { range: { valid_from: { lte: instant } } },
    { bool: { must_not: { range: { valid_to: { lte: instant } } } } },
  ]
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
