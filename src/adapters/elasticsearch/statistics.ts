/** Counts of what a caller can see: exact if that is little, else estimated from a sample. */
import type { estypes } from '@elastic/elasticsearch'
import type { SearchFilter, Statistics } from '../../ports/search.ts'
import { all, type Clause, holds, inSample, visible } from './filters.ts'
import { type SampleStep, sampleSteps, sharesOf } from './samples.ts'
import type { Answer, Search, Searching } from './searching.ts'

/** Documents that are counted one by one. For more, the count is estimated. */
export const exactUpTo = 20_000

export interface Counted {
  statistics: Statistics
  /** The sample that was counted. 0: all documents. */
  step: SampleStep
}

export async function statisticsOf(
  searching: Searching,
  filter: SearchFilter,
  terms: readonly string[],
): Promise<Counted> {
  const seen = visible(filter)
  const answers = await searching.several([
    ...sampleSteps.map((step) => lengths(seen, step)),
    ...terms.map((term) => count([...seen, holds(term)], exactUpTo)),
  ])
  const { step, documents, length } = totals(answers.slice(0, sampleSteps.length))
  const counts = answers.slice(sampleSteps.length).map(totalOf)
  const many = terms.filter((_, n) => counts[n]?.more)
  const estimated = await estimates(searching, seen, many, step)
  const document_frequencies = terms.map((term, n) => {
    const counted = counts[n]?.value ?? 0
    return Math.min(documents, Math.max(counted, estimated.get(term) ?? 0))
  })
  return { statistics: { documents, length, document_frequencies }, step }
}

/** Terms that one search counts. */
const countedAtOnce = 250

/**
 * Counts each term, also those that the index does not hold: what a caller's request costs must not tell whether only
 * hidden documents hold a term. Filters that are counted without sub-aggregations take one look-up each.
 */
export async function frequenciesOf(
  searching: Searching,
  filter: SearchFilter,
  terms: readonly string[],
  atMost: number,
): Promise<number[]> {
  const searches: Search[] = []
  for (let from = 0; from < terms.length; from += countedAtOnce) {
    const filters = terms.slice(from, from + countedAtOnce).map((term) => all(holds(term)))
    const query = all(...visible(filter))
    searches.push({ size: 0, query, track_total_hits: false, aggs: { terms: { filters: { filters } } } })
  }
  const answers = await searching.several(searches)
  return answers.flatMap((answer) => {
    const counted = answer.aggregations?.terms as estypes.AggregationsFiltersAggregate | undefined
    const buckets = counted?.buckets as estypes.AggregationsFiltersBucket[]
    return buckets.map(({ doc_count }) => Math.min(atMost, doc_count))
  })
}

/** Counts the visible documents of a sample, and their total length. */
function lengths(seen: Clause[], step: SampleStep): Search {
  return {
    size: 0,
    query: all(...seen, ...inSample(step)),
    track_total_hits: true,
    terminate_after: exactUpTo,
    aggs: { length: { sum: { field: 'length' } } },
  }
}

function count(clauses: Clause[], upTo: number | true): Search {
  return { size: 0, query: all(...clauses), track_total_hits: upTo }
}

/** The totals by the largest sample that was counted completely. */
function totals(answers: readonly Answer[]): { step: SampleStep; documents: number; length: number } {
  const whole = answers.findIndex((answer) => answer.terminated_early !== true)
  const at = whole < 0 ? answers.length - 1 : whole
  const step = sampleSteps[at] as SampleStep
  const answer = answers[at] as Answer
  const sum = answer.aggregations?.length as estypes.AggregationsSumAggregate
  return { step, documents: totalOf(answer).value * sharesOf(step), length: (sum.value ?? 0) * sharesOf(step) }
}

function totalOf(answer: Answer): { value: number; more: boolean } {
  const total = answer.hits.total
  // an object, unless the request asks for a number
  if (typeof total !== 'object') return { value: total ?? 0, more: false }
  return { value: total.value, more: total.relation === 'gte' }
}

async function estimates(
  searching: Searching,
  seen: Clause[],
  terms: readonly string[],
  step: SampleStep,
): Promise<Map<string, number>> {
  if (terms.length === 0) return new Map()
  const counts = terms.map((term) => count([...seen, ...inSample(step), holds(term)], true))
  const answers = await searching.several(counts)
  return new Map(answers.map((answer, n) => [terms[n] as string, totalOf(answer).value * sharesOf(step)]))
}
