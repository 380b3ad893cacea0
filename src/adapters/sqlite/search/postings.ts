/** Reads postings and document frequencies, newest first, within a limit. */
import type { SearchFilter } from '../../../ports/search.ts'
import { type Database, statement } from '../base/database.ts'
import { encode, type FilterField, tokenOfFilter, tokenOfFrequency, tokenOfTerm } from './schema.ts'

/** Document frequencies are exact below this. It is also the most postings of one term that a search reads. */
export const frequencyCap = 5000

/** Up to this many postings are read at once. A term with more is counted first, and read only if it is ranked. */
const fewPostings = 500

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
  const rows = found === null ? [] : found.split(',').map(Number)
  return { rows, cut: rows.length === limit }
}

/** Rows in [oldest, newest] that hold both terms. If there are very many, any of them. */
export function rowsWithBoth(
  db: Database,
  scopes: readonly VisibleScope[],
  one: Term,
  other: Term,
  oldest: number,
  newest: number,
): number[] {
  // scope by scope and oldest first: FTS5 needs a third less time for it than for (… OR …) AND (… OR …), newest first
  const pairs = scopes.map(
    ({ number }) => `("${tokenOfTerm(number, one.encoded)}" AND "${tokenOfTerm(number, other.encoded)}")`,
  )
  const [found] = statement(
    db,
    `SELECT group_concat(rowid) FROM (
       SELECT rowid FROM search_postings WHERE search_postings MATCH ? AND rowid BETWEEN ? AND ? LIMIT ?)`,
  ).get(pairs.join(' OR '), oldest, newest, frequencyCap) as [string | null]
  return found === null ? [] : found.split(',').map(Number)
}

/** A term of the query with its postings. */
export interface Term {
  /** Position in the query. */
  at: number
  encoded: string
  /** Matches its token in any of the scopes. In parentheses. */
  expression: string
  documentFrequency: number
  /** Set if there are few. */
  postings: Postings | undefined
}

export function readTerm(db: Database, scopes: readonly VisibleScope[], term: string, at: number): Term {
  const encoded = encode(term)
  const expression = anyOf(scopes.map(({ number }) => tokenOfTerm(number, encoded)))
  const postings = postingsOf(db, expression, fewPostings)
  if (!postings.cut) return { at, encoded, expression, documentFrequency: postings.rows.length, postings }
  return { at, encoded, expression, documentFrequency: frequencyOf(db, scopes, expression), postings: undefined }
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

/**
 * Exact below the cap. Above it, extrapolated: the number counted, times all documents ever added to these scopes,
 * divided by those at least as new as the oldest row counted.
 */
function frequencyOf(db: Database, scopes: readonly VisibleScope[], expression: string): number {
  const added = scopes.reduce((sum, scope) => sum + scope.added, 0)
  const known = estimates.get(db)?.get(expression)
  if (known !== undefined && added <= known.added * staleGrowth) return known.frequency
  const [count, oldest] = statement(
    db,
    `SELECT count(*), min(rowid) FROM (
       SELECT rowid FROM search_postings WHERE search_postings MATCH ? ORDER BY rowid DESC LIMIT ?)`,
  ).get(expression, frequencyCap) as [number, number]
  if (count < frequencyCap) return count
  const older = scopes.reduce((sum, scope) => sum + addedBefore(db, scope, oldest), 0)
  const documents = scopes.reduce((sum, scope) => sum + scope.documents, 0)
  const frequency = Math.max(count, Math.min(documents, Math.round((count * added) / (added - older))))
  keepEstimate(db, expression, { frequency, added })
  return frequency
}

interface Estimate {
  frequency: number
  /** Documents added to these scopes at that time. */
  added: number
}

/**
 * Estimates are expensive and change slowly, so they are kept until 1 % more documents have been added. By expression.
 */
const estimates = new WeakMap<Database, Map<string, Estimate>>()
const staleGrowth = 1.01
const estimatesKept = 10_000
/** Expressions of very many scopes are rare, and would fill the memory. */
const longestKept = 500

function keepEstimate(db: Database, expression: string, estimate: Estimate): void {
  if (expression.length > longestKept) return
  const kept = estimates.get(db) ?? new Map<string, Estimate>()
  if (kept.size >= estimatesKept) kept.clear()
  kept.set(expression, estimate)
  estimates.set(db, kept)
}

/** How many documents had been added to the scope before this row, rounded down to a multiple of `markEvery`. */
function addedBefore(db: Database, scope: VisibleScope, row: number): number {
  const mark = statement(
    db,
    'SELECT added FROM search_marks WHERE scope = ? AND row < ? ORDER BY row DESC LIMIT 1',
  ).get(scope.number, row) as [number] | undefined
  return mark?.[0] ?? 0
}
