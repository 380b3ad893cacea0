/** Reads postings and document frequencies, newest first, within a limit. */
import type { SearchFilter } from '../../../ports/search.ts'
import { type Database, statement } from '../base/database.ts'
import { keptByExpression } from './kept.ts'
import { encode, type FilterField, tokenOfFilter, tokenOfFrequency, tokenOfTerm } from './schema.ts'

/** Document frequencies are exact below this. */
export const frequencyCap = 5000

/** A scope that the caller sees and that has documents. */
export interface VisibleScope {
  number: number
  documents: number
  length: number
  added: number
}

export function visibleScopes(db: Database, index: number, filter: SearchFilter): VisibleScope[] {
  const rows = statement(
    db,
    `SELECT number, kind, documents, length, added FROM search_scopes
     WHERE search_index = ? AND workspace = ? AND audience IN (SELECT value FROM json_each(?)) AND documents > 0
     ORDER BY number`,
  ).all(index, filter.workspace, JSON.stringify(filter.audiences)) as [number, string, number, number, number][]
  const kinds: readonly string[] | undefined = filter.kinds
  return rows
    .filter(([, kind]) => kinds?.includes(kind) ?? true)
    .map(([number, , documents, length, added]) => ({ number, documents, length, added }))
}

export function documentsIn(scopes: readonly VisibleScope[]): number {
  return scopes.reduce((sum, { documents }) => sum + documents, 0)
}

export interface Postings {
  /** Newest first. */
  rows: number[]
  /** There may be older ones. */
  cut: boolean
}

/** The newest `limit` rows in [from, before) that match an FTS5 expression. */
export function postingsOf(
  db: Database,
  expression: string,
  limit: number,
  from = 0,
  before = Number.MAX_SAFE_INTEGER,
): Postings {
  // returns one string: a result row for each would cost ten times as much
  const [found] = statement(
    db,
    `SELECT group_concat(rowid) FROM (
       SELECT rowid FROM search_postings WHERE search_postings MATCH ? AND rowid >= ? AND rowid < ?
       ORDER BY rowid DESC LIMIT ?)`,
  ).get(expression, from, before, limit) as [string | null]
  const rows = found === null ? [] : numbersIn(found)
  return { rows, cut: rows.length === limit }
}

/** All rows in [from, before) that match. Only for few rows: it has no limit, but takes half as long for each as postingsOf. */
export function allPostings(db: Database, expression: string, from = 0, before = Number.MAX_SAFE_INTEGER): Postings {
  const [found] = statement(
    db,
    'SELECT group_concat(rowid) FROM search_postings WHERE search_postings MATCH ? AND rowid >= ? AND rowid < ?',
  ).get(expression, from, before) as [string | null]
  return { rows: found === null ? [] : numbersIn(found).reverse(), cut: false }
}

/** Whole numbers with commas between them. Three times as fast as to split the text. */
function numbersIn(text: string): number[] {
  const numbers: number[] = []
  let number = 0
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    if (unit !== 44) number = number * 10 + unit - 48
    else {
      numbers.push(number)
      number = 0
    }
  }
  numbers.push(number)
  return numbers
}

/** A term of the query with its postings. */
export interface Term {
  /** Position in the query. */
  at: number
  encoded: string
  /** Matches its token in any of the scopes. In parentheses. */
  expression: string
  documentFrequency: number
  /** The newest, up to frequencyCap. undefined: they were not read, because the frequency was known. */
  postings: Postings | undefined
}

/** Reads the newest postings once: to count them, and to rank them later. */
export function readTerm(db: Database, scopes: readonly VisibleScope[], term: string, at: number): Term {
  const encoded = encode(term)
  const expression = anyOf(scopes.map(({ number }) => tokenOfTerm(number, encoded)))
  const known = knownEstimate(db, scopes, expression)
  if (known !== undefined && known >= frequencyCap) {
    return { at, encoded, expression, documentFrequency: known, postings: undefined }
  }
  // an estimate below the cap only tells that it is cheap to count again: a document may have been deleted since
  const all = known === undefined ? undefined : allPostings(db, expression)
  const postings = all && all.rows.length < frequencyCap ? all : postingsOf(db, expression, frequencyCap)
  if (postings.cut) {
    return { at, encoded, expression, documentFrequency: estimated(db, scopes, expression, postings), postings }
  }
  const documentFrequency = postings.rows.length
  estimates.keep(db, expression, { frequency: documentFrequency, added: addedTo(scopes) })
  return { at, encoded, expression, documentFrequency, postings }
}

/** The newest `limit` postings of a term, of which some may have been read. */
export function newestOf(db: Database, { expression, postings, documentFrequency }: Term, limit: number): Postings {
  if (postings === undefined) {
    return documentFrequency < limit ? allPostings(db, expression) : postingsOf(db, expression, limit)
  }
  const more = limit - postings.rows.length
  if (!postings.cut || more <= 0) return postings
  const { rows, cut } = postingsOf(db, expression, more, 0, postings.rows.at(-1))
  return { rows: [...postings.rows, ...rows], cut }
}

/** Matches documents in which the term occurs at least `step` times. */
export function expressionOfStep(scopes: readonly VisibleScope[], term: Term, step: number): string {
  return anyOf(scopes.map(({ number }) => tokenOfFrequency(number, term.encoded, step)))
}

/** The part of the filter that postings can check; undefined: none. */
export function expressionOfFilter(scopes: readonly VisibleScope[], filter: SearchFilter): string | undefined {
  const fields = ['category', 'significance', 'surface', 'entity_type'] as const
  const parts: string[] = []
  const add = (field: FilterField, values: readonly string[]) =>
    parts.push(anyOf(scopes.flatMap(({ number }) => values.map((value) => tokenOfFilter(number, field, value)))))
  for (const field of fields) {
    const value = filter[field]
    if (value !== undefined) add(field, [value])
  }
  for (const tags of filter.tags ?? []) add('tag', tags)
  return parts.length === 0 ? undefined : parts.join(' AND ')
}

function anyOf(tokens: readonly string[]): string {
  return `("${tokens.join('" OR "')}")`
}

function knownEstimate(db: Database, scopes: readonly VisibleScope[], expression: string): number | undefined {
  const known = estimates.get(db, expression)
  return known !== undefined && addedTo(scopes) <= known.added * staleGrowth ? known.frequency : undefined
}

/**
 * Extrapolates from the newest postings: their number, times all documents ever added to these scopes, divided by those
 * at least as new as the oldest of them.
 */
function estimated(db: Database, scopes: readonly VisibleScope[], expression: string, { rows }: Postings): number {
  const added = addedTo(scopes)
  const oldest = rows.at(-1) as number
  const older = scopes.reduce((sum, scope) => sum + addedBefore(db, scope, oldest), 0)
  const documents = documentsIn(scopes)
  const extrapolated = Math.round((rows.length * added) / (added - older))
  const frequency = Math.max(rows.length, Math.min(documents, extrapolated))
  estimates.keep(db, expression, { frequency, added })
  return frequency
}

/** Documents ever added to these scopes. */
export function addedTo(scopes: readonly VisibleScope[]): number {
  return scopes.reduce((sum, { added }) => sum + added, 0)
}

interface Estimate {
  frequency: number
  /** Documents added to these scopes at that time. */
  added: number
}

/**
 * Estimates are expensive and change slowly, so they are kept until 1 % more documents have been added.
 */
const estimates = keptByExpression<Estimate>(10_000)
const staleGrowth = 1.01

/** How many documents had been added to the scope before this row, rounded down to a multiple of `markEvery`. */
function addedBefore(db: Database, scope: VisibleScope, row: number): number {
  const mark = statement(
    db,
    'SELECT added FROM search_marks WHERE scope = ? AND row < ? ORDER BY row DESC LIMIT 1',
  ).get(scope.number, row) as [number] | undefined
  return mark?.[0] ?? 0
}
