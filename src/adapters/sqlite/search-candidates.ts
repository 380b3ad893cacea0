/**
 * Candidates: the documents that a reckoning over postings alone puts first. It reads the rarest terms whole, up to a
 * budget, so that the cost of a search does not grow with the store; the exact ranking is text/scorer.ts's.
 */
import type { Candidates, SearchFilter } from '../../ports/search.ts'
import { b, idf, k1 } from '../../text/scorer.ts'
import type { Database } from './database.ts'
import {
  expressionOfFilter,
  expressionOfStep,
  frequencyCap,
  type Postings,
  postingsOf,
  readTerm,
  rowsWithBoth,
  type Term,
  type VisibleScope,
  visibleScopes,
} from './search-postings.ts'
import { candidatesIn } from './search-rows.ts'
import { frequencyOfStep, frequencySteps, lengthClasses, lengthOfClass } from './search-schema.ts'

/** Postings that one search ranks, at most. */
const budget = 5000
/** Beyond the budget: how many of the next rarest terms are asked which of the documents found they are in. */
const narrowing = 2
/** How often the next older postings are read where of the newest too few pass the filter (as_of a year long gone). */
const olderRounds = 2

export function candidatesOf(
  db: Database,
  index: number,
  filter: SearchFilter,
  words: readonly string[],
  limit: number,
): Candidates {
  const scopes = visibleScopes(db, index, filter)
  const documents = scopes.reduce((sum, scope) => sum + scope.documents, 0)
  const length = scopes.reduce((sum, scope) => sum + scope.length, 0)
  if (documents === 0) {
    return { items: [], statistics: { documents, length, document_frequencies: words.map(() => 0) } }
  }
  const terms = words.map((word, at) => readTerm(db, scopes, word, at))
  const only = expressionOfFilter(scopes, filter)
  const norms = normsOf(length / documents)
  const reckoning: Reckoning = { db, scopes, documents, norms, limit, worth: new Map() }
  const encoded = terms.map((term) => term.encoded)
  const passing = () => candidatesIn(db, filter, reckoning.worth, encoded, limit)

  const read = rank(reckoning, terms, only)
  let items = passing()
  for (let round = 0; round < olderRounds && items.length < limit && addOlder(reckoning, read, only); round++) {
    items = passing()
  }
  return {
    items,
    statistics: { documents, length, document_frequencies: terms.map((term) => term.documentFrequency) },
  }
}

interface Reckoning {
  db: Database
  scopes: readonly VisibleScope[]
  documents: number
  /** By class of length, what BM25 adds to the frequency below the line. */
  norms: Float64Array
  limit: number
  /** Row → what it is worth by the postings read. */
  worth: Map<number, number>
}

/** A term whose postings were added to what documents are worth: all of them, or the newest. */
interface Read {
  term: Term
  postings: Postings
}

/**
 * Rarest first, whole, as long as the budget lasts; the newest of one that goes beyond it while there are too few.
 * `only`: what every hit must hold by the filter. Of rare terms all is taken, for to look at rows costs less; others
 * are read together with it, until there are enough.
 */
function rank(reckoning: Reckoning, terms: readonly Term[], only: string | undefined): Read[] {
  const { db, limit, worth } = reckoning
  const read: Read[] = []
  const unread: Term[] = []
  let left = budget
  let passing = 0
  for (const term of rarestFirst(terms)) {
    const enough = only === undefined ? worth.size >= limit && term.documentFrequency > left : passing >= limit
    if (enough && (only === undefined || term.postings === undefined)) {
      unread.push(term)
      continue
    }
    const postings = term.postings ?? postingsOf(db, both(term, only), frequencyCap)
    add(reckoning, term, postings)
    read.push({ term, postings })
    left -= postings.rows.length
    if (term.postings === undefined) passing += postings.rows.length
  }
  // where all of them become candidates their order here decides nothing
  if (worth.size > limit) {
    for (const { term, postings } of read) addFrequencies(reckoning, term, postings)
    narrow(reckoning, read, unread)
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

/** The next older postings of the rarest term of which not all were read; false: there are none. */
function addOlder(reckoning: Reckoning, read: readonly Read[], only: string | undefined): boolean {
  const next = read.find(({ postings }) => postings.cut)
  if (next === undefined) return false
  const { term, postings } = next
  next.postings = postingsOf(reckoning.db, both(term, only), frequencyCap, 0, postings.rows.at(-1))
  add(reckoning, term, next.postings)
  addFrequencies(reckoning, term, next.postings)
  return true
}

function add(reckoning: Reckoning, term: Term, { rows }: Postings): void {
  const { worth } = reckoning
  const gains = gainsOf(reckoning, term, frequencyOfStep[0])
  for (const row of rows) worth.set(row, (worth.get(row) ?? 0) + (gains[row % lengthClasses] as number))
}

/** What a term brings beyond its first occurrence, in documents that were added. */
function addFrequencies(reckoning: Reckoning, term: Term, { rows }: Postings): void {
  const { db, scopes, worth } = reckoning
  const [newest, oldest] = [rows[0], rows.at(-1)]
  if (newest === undefined || oldest === undefined) return
  let below = gainsOf(reckoning, term, frequencyOfStep[0])
  for (const [n, step] of frequencySteps.entries()) {
    const more = postingsOf(db, expressionOfStep(scopes, term, step), frequencyCap, oldest, newest + 1)
    const gains = gainsOf(reckoning, term, frequencyOfStep[n + 1] as number)
    for (const row of more.rows) {
      const before = worth.get(row)
      if (before !== undefined)
        worth.set(row, before + (gains[row % lengthClasses] as number) - (below[row % lengthClasses] as number))
    }
    if (more.rows.length === 0) return
    below = gains
  }
}

/**
 * Which of the documents found hold the next rarest terms too: else the many that tie would be cut by age alone. Only
 * terms that bring more documents than become candidates make such ties.
 */
function narrow({ db, scopes, limit, worth, ...reckoning }: Reckoning, read: readonly Read[], unread: Term[]): void {
  for (const { term: found, postings } of read) {
    const [newest, oldest] = [postings.rows[0], postings.rows.at(-1)]
    if (newest === undefined || oldest === undefined || postings.rows.length <= limit) continue
    for (const term of unread.slice(0, narrowing)) {
      const gains = gainsOf(reckoning, term, 1)
      for (const row of rowsWithBoth(db, scopes, found, term, oldest, newest)) {
        const before = worth.get(row)
        if (before !== undefined) worth.set(row, before + (gains[row % lengthClasses] as number))
      }
    }
  }
}

/** By class of length, what so many occurrences of a term bring. */
function gainsOf(
  reckoning: Pick<Reckoning, 'documents' | 'norms'>,
  { documentFrequency: n }: Term,
  frequency: number,
): Float64Array {
  const told = idf(n, reckoning.documents)
  return reckoning.norms.map((norm) => (told * frequency) / (frequency + norm))
}

/** With the scorer's constants: only the order of candidates beyond the limit depends on them here. */
function normsOf(average: number): Float64Array {
  const norms = new Float64Array(lengthOfClass.length)
  for (const [n, length] of lengthOfClass.entries()) norms[n] = k1 * (1 - b + (b * length) / Math.max(1, average))
  return norms
}
