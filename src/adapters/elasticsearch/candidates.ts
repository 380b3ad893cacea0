/**
 * Candidates: the documents that the engine ranks highest, by the document frequencies of what the caller can see and the
 * weights of the query, and of these the best by the exact BM25. A small store is ranked completely. In a large store,
 * only the documents with the rarest terms are ranked, up to a budget, and if they are too few, the newest documents with
 * the other terms. So the cost of a search does not grow with the store.
 */
import type { Candidate, Candidates, SearchFilter, SearchQuery, Statistics } from '../../ports/search.ts'
import { frequencyOf, idf, k1, normOf, saturated } from '../../text/matching.ts'
import { countsIn } from '../../text/places.ts'
import type { Elastic } from './connection.ts'
import { unavailable } from './failure.ts'
import { all, any, type Clause, holds, inSample, visible, wanted } from './filters.ts'
import { type SampleStep, sharesOf } from './samples.ts'
import { type Found, type Hit, type Searching, searchingIn, type TermStatistics } from './searching.ts'
import { statisticsOf } from './statistics.ts'

/** The most documents that are ranked because they contain a rare term. */
const budget = 20_000
/** How many times the wanted number the engine proposes. Its own score knows no lengths (definition.ts). */
const proposed = 5
/** About how many documents are ranked because they are the newest with a common term, for all such terms together. */
const newestRanked = 10_000

export async function candidatesOf(
  elastic: Elastic,
  index: string,
  filter: SearchFilter,
  { terms, weights }: SearchQuery,
  limit: number,
): Promise<Candidates> {
  const searching = searchingIn(elastic, index, filter.workspace)
  const [{ statistics, step }, engines] = await Promise.all([
    statisticsOf(searching, filter, terms),
    searching.termStatistics(terms),
  ])
  const weighted = weigh({ terms, weights }, statistics, engines)
  if (weighted.length === 0) return { items: [], statistics }
  const ranking = { searching, filter, weighted, limit: limit * proposed }
  const items = await readFound(searching, filter, terms, async () => {
    const found = step === 0 ? await rank(ranking, weighted.map(containsTerm)) : await rankWithin(ranking, step)
    return byLength(found, weighted, statistics).slice(0, limit)
  })
  return { items, statistics }
}

/** How often a search ranks again because a document was replaced before it was read. */
const rankedAtMost = 3

/** The candidates that `find` found, in its order. */
export async function readFound(
  searching: Searching,
  filter: SearchFilter,
  terms: readonly string[],
  find: () => Promise<Found[]>,
): Promise<Candidate[]> {
  return (await hitsOf(searching, filter, find)).map((hit) => candidateOf(hit, terms))
}

/** The documents that `find` found, in its order. */
export async function hitsOf(searching: Searching, filter: SearchFilter, find: () => Promise<Found[]>): Promise<Hit[]> {
  for (let times = 0; times < rankedAtMost; times++) {
    const hits = await searching.read(await find(), visible(filter))
    if (hits) return hits
  }
  throw unavailable('documents were replaced while they were read', 'busy')
}

/**
 * Best first by BM25 over what the caller can see, and newest first among equals. Frequencies follow from the engine's
 * scores, because it ignores lengths (definition.ts).
 */
function byLength(found: readonly Found[], weighted: readonly Weighted[], { documents, length }: Statistics): Found[] {
  const average = length / Math.max(1, documents)
  const scored = found.map((one) => {
    const norm = normOf(one.length, average)
    let score = 0
    for (const [n, { gain }] of weighted.entries()) {
      // the engine multiplies every score by k1 + 1
      const share = (one.scores[n] ?? 0) / (gain * (k1 + 1))
      const frequency = Math.round(frequencyOf(share, k1))
      score += gain * saturated(frequency, norm)
    }
    return { one, score }
  })
  scored.sort((x, y) => y.score - x.score || y.one.sequence - x.one.sequence)
  return scored.map(({ one }) => one)
}

interface Ranking {
  searching: Searching
  filter: SearchFilter
  weighted: readonly Weighted[]
  limit: number
}

/** A term that occurs, and what turns the engine's score for it into the score by its weight and the caller's counts. */
interface Weighted {
  term: string
  documentFrequency: number
  /** Its weight times its inverse document frequency. */
  gain: number
  boost: number
}

function weigh(
  { terms, weights }: SearchQuery,
  { documents, document_frequencies }: Statistics,
  engines: TermStatistics,
): Weighted[] {
  const weighted: Weighted[] = []
  for (const [n, term] of terms.entries()) {
    const documentFrequency = document_frequencies[n] as number
    if (documentFrequency === 0) continue
    const gain = (weights[n] as number) * idf(documentFrequency, documents)
    const own = idf(engines.frequencies.get(term) ?? 0, engines.documents)
    weighted.push({ term, documentFrequency, gain, boost: gain / own })
  }
  return weighted.sort((x, y) => x.documentFrequency - y.documentFrequency)
}

/** Matches the documents that contain the term. */
function containsTerm({ term }: Pick<Weighted, 'term'>): Clause {
  return holds(term)
}

/** All terms count for the score. Only documents that match one of `among` are ranked. */
function rank({ searching, filter, weighted, limit }: Ranking, among: Clause[]): Promise<Found[]> {
  const scored = weighted.map(({ term, boost }, n) => ({ term: { tokens: { value: term, boost, _name: String(n) } } }))
  const filters = [...visible(filter), ...wanted(filter)]
  // if every document with a term is ranked, the scoring clauses alone match, and the engine can skip low scores
  if (among.length === weighted.length && among.every((clause) => clause.term !== undefined)) {
    return searching.ranked({ bool: { filter: filters, should: scored, minimum_should_match: 1 } }, limit)
  }
  return searching.ranked({ bool: { filter: [...filters, any(among)], should: scored } }, limit)
}

/**
 * Ranks the documents of the rarest terms within the budget. If they are too few, adds the newest documents of the
 * other terms.
 */
async function rankWithin(ranking: Ranking, step: SampleStep): Promise<Found[]> {
  const { weighted, limit } = ranking
  let left = budget
  const rare = weighted.filter(({ documentFrequency }) => {
    left -= documentFrequency
    return left >= 0
  })
  const common = weighted.slice(rare.length)
  const found = rare.length === 0 ? [] : await rank(ranking, rare.map(containsTerm))
  if (found.length >= limit || common.length === 0) return found
  return rank(ranking, [...rare.map(containsTerm), ...(await newestOf(ranking, common, step))])
}

/** For each term, a clause for its newest documents that pass the filter. The sample tells how far back they go. */
async function newestOf(
  { searching, filter }: Ranking,
  common: readonly Weighted[],
  step: SampleStep,
): Promise<Clause[]> {
  const rankInSample = Math.max(1, Math.round(newestRanked / common.length / sharesOf(step)))
  const answers = await searching.several(
    common.map(({ term }) => ({
      query: all(...visible(filter), ...wanted(filter), ...inSample(step), holds(term)),
      size: 1,
      from: rankInSample - 1,
      sort: [{ sequence: 'desc' }],
      track_total_hits: false,
    })),
  )
  return common.map(({ term }, n) => {
    const oldest = answers[n]?.hits.hits[0]?.sort?.[0]
    // the term has fewer documents than that: take all
    if (oldest === undefined) return holds(term)
    return all(holds(term), { range: { sequence: { gte: oldest as number } } })
  })
}

function candidateOf({ _id, _version, _source }: Hit, terms: readonly string[]): Candidate {
  const { kind, length, shown } = _source as Required<Pick<NonNullable<Hit['_source']>, 'kind' | 'length' | 'shown'>>
  return {
    id: _id as string,
    record_id: shown.record_id,
    kind,
    version: _version as number,
    valid_from: shown.valid_from,
    valid_to: shown.valid_to,
    length,
    ...countsIn(shown.terms, terms),
  }
}
