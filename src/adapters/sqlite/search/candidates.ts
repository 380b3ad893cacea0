/**
 * Selects candidates: first many with an estimate from postings alone, then the best of these by the exact BM25 of all
 * terms (exact.ts). It reads the postings of rare terms completely, up to a budget, so the cost of a search does not grow
 * with the store. text/scorer.ts computes the final ranking.
 */
import type { Candidates, SearchFilter, SearchQuery } from '../../../ports/search.ts'
import { idf, normOf } from '../../../text/matching.ts'
import type { Database } from '../base/database.ts'
import type { Weighing } from './exact.ts'
import { hashOf } from './fingerprint.ts'
import {
  allPostings,
  documentsIn,
  expressionOfFilter,
  expressionOfStep,
  frequencyCap,
  newestOf,
  type Postings,
  postingsOf,
  readTerm,
  rowsWithBoth,
  type Term,
  type VisibleScope,
  visibleScopes,
} from './postings.ts'
import { candidatesIn } from './rows.ts'
import { frequencyOfStep, frequencySteps, lengthClasses, lengthOfClass } from './schema.ts'
import { Scores } from './scores.ts'

/** The most postings ranked in one search. */
const budget = 20_000
/** A term with fewer is read without the filter, because checking their rows costs less. */
const fewPostings = 500
/** Beyond the budget: so many of the next rarest terms are checked against the documents found. */
const narrowing = 2
/** How often older postings are read if too few of the newest pass the filter, such as as_of long ago. */
const olderRounds = 2

export function candidatesOf(
  db: Database,
  index: number,
  filter: SearchFilter,
  query: SearchQuery,
  limit: number,
): Candidates {
  const scopes = visibleScopes(db, index, filter)
  const documents = documentsIn(scopes)
  const length = scopes.reduce((sum, scope) => sum + scope.length, 0)
  if (documents === 0) {
    return { items: [], statistics: { documents, length, document_frequencies: query.terms.map(() => 0) } }
  }
  const terms = query.terms.map((word, at) => readTerm(db, scopes, word, at))
  const statistics = { documents, length, document_frequencies: terms.map((term) => term.documentFrequency) }
  const only = expressionOfFilter(scopes, filter)
  const norms = normsOf(length / documents)
  const scoring: Scoring = { db, scopes, documents, norms, weights: query.weights, limit, scores: new Scores() }
  const read = rank(scoring, terms, only)
  const passing = () =>
    candidatesIn(db, filter, scoring.scores, weighingOf(scoring, terms, read, length / documents), limit)
  let items = passing()
  for (let round = 0; round < olderRounds && items.length < limit && addOlder(scoring, read, only); round++) {
    items = passing()
  }
  return { items, statistics }
}

function weighingOf(scoring: Scoring, terms: readonly Term[], read: readonly Read[], average: number): Weighing {
  const present = read.map(({ term }) => ({ hash: hashOf(term.encoded), gain: weightOf(scoring, term) }))
  return {
    terms: terms.map(({ encoded }) => encoded),
    present: present.sort((a, b) => a.hash - b.hash),
    average,
    missed: read.reduce((sum, { term, postings }) => sum + (postings.cut ? weightOf(scoring, term) : 0), 0),
  }
}

interface Scoring {
  db: Database
  scopes: readonly VisibleScope[]
  documents: number
  /** The part of BM25's denominator that depends on the length, by class of length. */
  norms: Float64Array
  /** Of the terms, by their position in the query. */
  weights: readonly number[]
  limit: number
  /** Estimated. */
  scores: Scores
}

/** A term whose postings were added to the scores: all of them, or the newest. */
interface Read {
  term: Term
  postings: Postings
}

/**
 * Reads the postings of the rarest terms first, completely while the budget lasts. Of a larger term it reads the
 * newest, as long as too few documents were found. `only`: an expression of the filter that every hit must match. Rare
 * terms are read without it, because checking their rows costs less. Other terms are combined with it, until enough are
 * found.
 */
function rank(scoring: Scoring, terms: readonly Term[], only: string | undefined): Read[] {
  const { db, limit, scores } = scoring
  const read: Read[] = []
  const unread: Term[] = []
  let left = budget
  let passing = 0
  for (const term of rarestFirst(terms)) {
    const enough = only === undefined ? scores.size >= limit && term.documentFrequency > left : passing >= limit
    const isRare = term.documentFrequency < fewPostings
    if (enough && (only === undefined || !isRare)) {
      unread.push(term)
      continue
    }
    const atMost = Math.max(frequencyCap, left)
    const isFiltered = only !== undefined && !isRare
    const postings = isFiltered ? postingsOf(db, both(term, only), atMost) : newestOf(db, term, atMost)
    add(scoring, term, postings)
    read.push({ term, postings })
    left -= postings.rows.length
    if (!isRare) passing += postings.rows.length
  }
  // if all of them become candidates, their order here does not matter
  if (scores.size > limit) {
    for (const { term, postings } of read) addFrequencies(scoring, term, postings)
    narrow(scoring, read, unread)
  }
  return [...read, ...unread.map(notRead)]
}

function both({ expression }: Term, only: string | undefined): string {
  return only === undefined ? expression : `${expression} AND ${only}`
}

function notRead(term: Term): Read {
  return { term, postings: { rows: [], cut: true } }
}

function rarestFirst(terms: readonly Term[]): Term[] {
  const present = terms.filter((term) => term.documentFrequency > 0)
  return present.sort((x, y) => x.documentFrequency - y.documentFrequency || x.at - y.at)
}

/** Reads older postings of the rarest term that was not read completely; false: there are none. */
function addOlder(scoring: Scoring, read: readonly Read[], only: string | undefined): boolean {
  const next = read.find(({ postings }) => postings.cut)
  if (next === undefined) return false
  const { term, postings } = next
  const older = postingsOf(scoring.db, both(term, only), frequencyCap, 0, postings.rows.at(-1))
  next.postings = { rows: [...postings.rows, ...older.rows], cut: older.cut }
  add(scoring, term, older)
  addFrequencies(scoring, term, older)
  return true
}

function add(scoring: Scoring, term: Term, { rows }: Postings): void {
  const { scores } = scoring
  const gains = gainsOf(scoring, term, frequencyOfStep[0])
  for (const row of rows) scores.set(row, (scores.get(row) ?? 0) + (gains[row % lengthClasses] as number))
}

/** Adds the score of repeated occurrences of a term to documents that were found. */
function addFrequencies(scoring: Scoring, term: Term, { rows }: Postings): void {
  const { db, scopes, scores } = scoring
  const [newest, oldest] = [rows[0], rows.at(-1)]
  if (newest === undefined || oldest === undefined) return
  let below = gainsOf(scoring, term, frequencyOfStep[0])
  for (const [n, step] of frequencySteps.entries()) {
    // no more than those that were read of the term
    const more = allPostings(db, expressionOfStep(scopes, term, step), oldest, newest + 1)
    const gains = gainsOf(scoring, term, frequencyOfStep[n + 1] as number)
    for (const row of more.rows) {
      const before = scores.get(row)
      if (before !== undefined)
        scores.set(row, before + (gains[row % lengthClasses] as number) - (below[row % lengthClasses] as number))
    }
    if (more.rows.length === 0) return
    below = gains
  }
}

/**
 * Adds the next rarest terms to documents that were found. Without this, many documents with equal scores would be cut
 * off by age alone. Such ties arise only from terms with more documents than `limit`.
 */
function narrow({ db, scopes, limit, scores, ...scoring }: Scoring, read: readonly Read[], unread: Term[]): void {
  const large = read.filter(({ postings }) => postings.rows.length > limit)
  if (large.length === 0) return
  const oldest = Math.min(...large.map(({ postings }) => postings.rows.at(-1) as number))
  const newest = Math.max(...large.map(({ postings }) => postings.rows[0] as number))
  const found = large.map(({ term }) => term)
  for (const term of unread.slice(0, narrowing)) {
    const gains = gainsOf(scoring, term, 1)
    for (const row of rowsWithBoth(db, scopes, found, term, oldest, newest)) {
      const before = scores.get(row)
      if (before !== undefined) scores.set(row, before + (gains[row % lengthClasses] as number))
    }
  }
}

/** The score of a term with this frequency, by class of length. */
function gainsOf(
  scoring: Pick<Scoring, 'documents' | 'norms' | 'weights'>,
  term: Term,
  frequency: number,
): Float64Array {
  const weight = weightOf(scoring, term)
  return scoring.norms.map((norm) => (weight * frequency) / (frequency + norm))
}

function weightOf({ documents, weights }: Pick<Scoring, 'documents' | 'weights'>, { at, documentFrequency }: Term) {
  return documentFrequency === 0 ? 0 : (weights[at] as number) * idf(documentFrequency, documents)
}

/** Uses the scorer's constants. They only affect the order of candidates beyond the limit. */
function normsOf(average: number): Float64Array {
  const norms = new Float64Array(lengthOfClass.length)
  for (const [n, length] of lengthOfClass.entries()) norms[n] = normOf(length, average)
  return norms
}
