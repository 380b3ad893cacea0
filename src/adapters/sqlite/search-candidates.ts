/**
 * Candidates: the documents that a reckoning over postings alone puts first. It reads the rarest terms whole, up to a
 * budget, so that the cost of a search does not grow with the store; the exact ranking is text/scorer.ts's.
 */
import type { Candidates, SearchFilter } from '../../ports/search.ts'
import type { Database } from './connection.ts'
import {
  expressionOfFilter,
  expressionOfStep,
  frequencyCap,
  type Postings,
  postingsOf,
  readTerm,
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
/** The scorer's: only the order of candidates beyond the limit depends on them here. */
const k1 = 0.9
const b = 0.4

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
  const reckoning: Reckoning = { db, scopes, only, documents, norms, limit, worth: new Map() }
  const read = rank(reckoning, terms)
  const encoded = terms.map((term) => term.encoded)
  let items = candidatesIn(db, filter, reckoning.worth, encoded, limit)
  for (let round = 0; round < olderRounds && items.length < limit && addOlder(reckoning, read); round++) {
    items = candidatesIn(db, filter, reckoning.worth, encoded, limit)
  }
  return {
    items,
    statistics: { documents, length, document_frequencies: terms.map((term) => term.documentFrequency) },
  }
}

interface Reckoning {
  db: Database
  scopes: readonly VisibleScope[]
  /** What every hit must hold by the filter, where postings know of it. */
  only: string | undefined
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

/** Rarest first, whole, as long as the budget lasts; of a term that alone goes beyond it the newest. */
function rank(reckoning: Reckoning, terms: readonly Term[]): Read[] {
  const present = terms.filter((term) => term.documentFrequency > 0)
  present.sort((x, y) => x.documentFrequency - y.documentFrequency || x.at - y.at)
  const read: Read[] = []
  let left = budget
  for (const term of present) {
    if (read.length > 0 && reckoning.only === undefined && term.documentFrequency > left) break
    const postings = passingPostings(reckoning, term)
    if (read.length > 0 && postings.rows.length > left) break
    add(reckoning, term, postings)
    read.push({ term, postings })
    left -= postings.rows.length
  }
  // where all of them become candidates their order here decides nothing
  if (reckoning.worth.size > reckoning.limit) {
    for (const { term, postings } of read) addFrequencies(reckoning, term, postings)
    narrow(reckoning, read, present.slice(read.length))
  }
  return read
}

/** The newest postings of a term, older than a row, in documents that pass the filter as far as postings know. */
function passingPostings({ db, only }: Reckoning, term: Term, before?: number): Postings {
  if (only !== undefined) return postingsOf(db, `${term.expression} AND ${only}`, frequencyCap, 0, before)
  if (before === undefined && term.postings !== undefined) return term.postings
  return postingsOf(db, term.expression, frequencyCap, 0, before)
}

/** false: there are none, for nothing was cut. Only the rarest term can have been: it left no budget for others. */
function addOlder(reckoning: Reckoning, [rarest]: Read[]): boolean {
  if (rarest === undefined || !rarest.postings.cut) return false
  rarest.postings = passingPostings(reckoning, rarest.term, rarest.postings.rows.at(-1))
  add(reckoning, rarest.term, rarest.postings)
  addFrequencies(reckoning, rarest.term, rarest.postings)
  return rarest.postings.rows.length > 0
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

/** Which of the documents found hold the next rarest terms too: else the many that tie would be cut by age alone. */
function narrow(reckoning: Reckoning, read: readonly Read[], rest: readonly Term[]): void {
  const { db, worth } = reckoning
  const found = read.map(({ term }) => term.expression).join(' OR ')
  const oldest = read.reduce((min, { postings }) => Math.min(min, postings.rows.at(-1) ?? min), Number.MAX_SAFE_INTEGER)
  for (const term of rest.slice(0, narrowing)) {
    const gains = gainsOf(reckoning, term, 1)
    for (const row of postingsOf(db, `(${found}) AND ${term.expression}`, frequencyCap, oldest).rows) {
      const before = worth.get(row)
      if (before !== undefined) worth.set(row, before + (gains[row % lengthClasses] as number))
    }
  }
}

/** By class of length, what so many occurrences of a term bring. */
function gainsOf(reckoning: Reckoning, { documentFrequency: n }: Term, frequency: number): Float64Array {
  const idf = Math.log(1 + (reckoning.documents - n + 0.5) / (n + 0.5))
  return reckoning.norms.map((norm) => (idf * frequency) / (frequency + norm))
}

function normsOf(average: number): Float64Array {
  const norms = new Float64Array(lengthOfClass.length)
  for (const [n, length] of lengthOfClass.entries()) norms[n] = k1 * (1 - b + (b * length) / Math.max(1, average))
  return norms
}
