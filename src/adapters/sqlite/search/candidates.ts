/**
 * Selects candidates: first many with an estimate from postings alone, then the best of these by the exact BM25 of all
 * terms (exact.ts). It reads the postings of rare terms completely, up to a budget, so the cost of a search does not grow
 * with the store. text/scorer.ts computes the final ranking.
 */
import type { SearchFilter, SearchQuery, Statistics } from '../../../ports/search.ts'
import { idf, normOf, saturated } from '../../../text/matching.ts'
import type { Database } from '../base/database.ts'
import type { Weighing } from './exact.ts'
import { hashOf } from './fingerprint.ts'
import { holds, readHolders } from './holders.ts'
import {
  addedTo,
  allPostings,
  documentsIn,
  expressionOfFilter,
  expressionOfStep,
  frequencyCap,
  newestOf,
  type Postings,
  postingsOf,
  readTerm,
  type Term,
  type VisibleScope,
  visibleScopes,
} from './postings.ts'
import type { Selection } from './read-selected.ts'
import { bestRows } from './rows.ts'
import { frequencyOfStep, frequencySteps, lengthClasses, lengthOfClass } from './schema.ts'
import { Scores } from './scores.ts'

/** The most postings ranked in one search. */
const budget = 20_000
/** A term with fewer is read without the filter, because checking their rows costs less. */
const fewPostings = 500
/** The most postings that one search reads to know which documents hold the terms beyond the budget. */
const holdersRead = 5_000
/** How often older postings are read if too few of the newest pass the filter, such as as_of long ago. */
const olderRounds = 2

export function selectCandidates(
  db: Database,
  index: number,
  filter: SearchFilter,
  query: SearchQuery,
  limit: number,
): Selection & { statistics: Statistics } {
  const scopes = visibleScopes(db, index, filter)
  const documents = documentsIn(scopes)
  const length = scopes.reduce((sum, scope) => sum + scope.length, 0)
  if (documents === 0) {
    const statistics = { documents, length, document_frequencies: query.terms.map(() => 0) }
    return { rows: [], terms: [], statistics }
  }
  const terms = query.terms.map((word, at) => readTerm(db, scopes, word, at))
  const statistics = { documents, length, document_frequencies: terms.map((term) => term.documentFrequency) }
  const only = expressionOfFilter(scopes, filter)
  const norms = normsOf(length / documents)
  const scoring: Scoring = { db, scopes, documents, norms, weights: query.weights, limit, scores: new Scores() }
  const read = rank(scoring, terms, only)
  const passing = () => bestRows(db, filter, scoring.scores, weighingOf(scoring, read, length / documents), limit)
  let rows = passing()
  for (let round = 0; round < olderRounds && rows.length < limit && addOlder(scoring, read, only); round++) {
    rows = passing()
  }
  return { rows, terms: terms.map(({ encoded }) => encoded), statistics }
}

function weighingOf(scoring: Scoring, read: readonly Read[], average: number): Weighing {
  const present = read.map(({ term }) => ({ hash: hashOf(term.encoded), gain: weightOf(scoring, term) }))
  return {
    present: present.sort((a, b) => a.hash - b.hash),
    average,
    missed: read.reduce((sum, one) => sum + weightOf(scoring, one.term) * missingShare(one), 0),
  }
}

/** How much of the weight of a term an estimate may lack. */
function missingShare({ postings, held }: Read): number {
  if (!postings.cut) return 0
  return held ? repeatedShare : 1
}

const averageNorm = normOf(1, 1)
/** What more than one occurrence adds, in a document of average length. */
const repeatedShare = saturated(frequencyOfStep[2], averageNorm) - saturated(frequencyOfStep[0], averageNorm)

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
  /** Its postings were not read, but the scores of the documents found include it once (holders.ts). */
  held: boolean
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
    add(scoring, term, postings.rows)
    read.push({ term, postings, held: false })
    left -= postings.rows.length
    if (!isRare) passing += postings.rows.length
  }
  // if all of them become candidates, their order here does not matter
  if (scores.size <= limit) return [...read, ...unread.map((term) => notRead(term, false))]
  for (const { term, postings } of read) addFrequencies(scoring, term, postings)
  const held = addHeld(scoring, unread)
  return [...read, ...unread.map((term) => notRead(term, held.has(term)))]
}

function both({ expression }: Term, only: string | undefined): string {
  return only === undefined ? expression : `${expression} AND ${only}`
}

function notRead(term: Term, held: boolean): Read {
  return { term, postings: { rows: [], cut: true }, held }
}

function rarestFirst(terms: readonly Term[]): Term[] {
  const present = terms.filter((term) => term.documentFrequency > 0)
  return present.sort((x, y) => x.documentFrequency - y.documentFrequency || x.at - y.at)
}

/** Reads older postings of the rarest term that was not read completely; false: there are none. */
function addOlder(scoring: Scoring, read: readonly Read[], only: string | undefined): boolean {
  const next = read.find(({ postings }) => postings.cut)
  if (next === undefined) return false
  const { term, postings, held } = next
  const older = postingsOf(scoring.db, both(term, only), frequencyCap, 0, postings.rows.at(-1))
  next.postings = { rows: [...postings.rows, ...older.rows], cut: older.cut }
  // a held term counts already for the documents that were found
  add(scoring, term, held ? older.rows.filter((row) => !scoring.scores.has(row)) : older.rows)
  addFrequencies(scoring, term, older)
  return true
}

function add(scoring: Scoring, term: Term, rows: readonly number[]): void {
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
 * Adds the terms beyond the budget to the scores of the documents that were found. Without this, many documents with
 * equal scores would be cut off by age alone. Returns the terms that it added: the first searches of a term only read
 * a part of its postings.
 */
function addHeld(scoring: Scoring, unread: readonly Term[]): Set<Term> {
  const { db, scopes, scores } = scoring
  const added = addedTo(scopes)
  const known = new Set<Term>()
  let left = holdersRead
  for (const term of unread) {
    const { holders, read } = readHolders(db, term, added, left)
    left -= read
    if (holders === undefined) continue
    const gains = gainsOf(scoring, term, frequencyOfStep[0])
    scores.addToEach((row) => (holds(holders, row) ? (gains[row % lengthClasses] as number) : 0))
    known.add(term)
  }
  return known
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
