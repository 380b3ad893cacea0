/**
 * Finds the nearest documents. Among few, all vectors are compared. Among many, only the sign bits of the newest
 * documents in each scope, and then the vectors of the best of these. So the cost of a search does not grow with the
 * store.
 */
import type { SearchFilter, Vector } from '../../../ports/search.ts'
import { type Database, statement } from '../base/database.ts'
import { documentsIn, type VisibleScope, visibleScopes } from './postings.ts'
import type { Selection } from './read-selected.ts'
import { looksAtRows, passingRows } from './rows.ts'
import { encode } from './schema.ts'
import { Scores } from './scores.ts'
import { bytesOf, findSpace, signsOf } from './vectors.ts'

/** Up to this many documents are compared by vector: about 6 ms at 768 dimensions. */
const exactUpTo = 5_000
/** The most sign bits compared in one search: about 9 ms. */
const budget = 50_000
/** Sign bits are inexact, so the vectors of this many times the wanted number are compared. */
const oversampling = 4
/** If a filter may exclude most documents, this many of the nearest by sign bits are checked against it. */
const filteredAtMost = 4_000

export function selectNearest(
  db: Database,
  index: number,
  filter: SearchFilter,
  { space, values }: Vector,
  terms: readonly string[],
  limit: number,
): Selection & { cosines: number[] } {
  const number = findSpace(db, space)
  const scopes = visibleScopes(db, index, filter)
  if (number === undefined || scopes.length === 0) return { rows: [], terms: [], cosines: [] }
  const documents = documentsIn(scopes)
  const cosines =
    documents <= exactUpTo
      ? cosinesOfScopes(db, number, scopes, values)
      : cosinesOfRows(db, nearBySigns(db, number, scopes, documents, filter, values, limit), values)
  const rows = passingRows(db, filter, cosines, limit)
  return { rows, terms: terms.map(encode), cosines: rows.map((row) => cosines.get(row) as number) }
}

/** Row → cosine, for all vectors in these scopes. */
function cosinesOfScopes(db: Database, space: number, scopes: readonly VisibleScope[], values: Float32Array): Scores {
  // returns one string: a result row for each would cost ten times as much
  const [found] = statement(
    db,
    `SELECT group_concat(v.row || ':' || vec_distance_cosine(v.vector, ?1))
     FROM search_signs s JOIN search_vectors v ON v.row = s.row
     WHERE s.space = ?2 AND s.scope IN (SELECT value FROM json_each(?3))`,
  ).get(bytesOf(values), space, JSON.stringify(scopes.map(({ number }) => number))) as [string | null]
  return cosinesIn(found)
}

function cosinesOfRows(db: Database, rows: readonly number[], values: Float32Array): Scores {
  const [found] = statement(
    db,
    `SELECT group_concat(row || ':' || vec_distance_cosine(vector, ?))
     FROM search_vectors WHERE row IN (SELECT value FROM json_each(?))`,
  ).get(bytesOf(values), JSON.stringify(rows)) as [string | null]
  return cosinesIn(found)
}

/** SQLite returns distances, which are 1 minus the cosine. */
function cosinesIn(text: string | null): Scores {
  const cosines = new Scores()
  for (const [row, distance] of pairsIn(text)) cosines.set(row, 1 - distance)
  return cosines
}

function* pairsIn(text: string | null): Iterable<[row: number, value: number]> {
  for (const pair of text?.split(',') ?? []) {
    const at = pair.indexOf(':')
    yield [Number(pair.slice(0, at)), Number(pair.slice(at + 1))]
  }
}

/** Rows that are near by sign bits and pass the filter. */
function nearBySigns(
  db: Database,
  space: number,
  scopes: readonly VisibleScope[],
  documents: number,
  filter: SearchFilter,
  values: Float32Array,
  limit: number,
): number[] {
  const wanted = limit * oversampling
  const looked = looksAtRows(filter) ? filteredAtMost : wanted
  const near = new Scores()
  for (const scope of scopes) {
    // each scope gets its share of the budget. Scopes that the caller does not see never affect it
    const newest = Math.ceil((budget * scope.documents) / Math.max(budget, documents))
    const [found] = statement(
      db,
      `SELECT group_concat(row || ':' || distance) FROM (
         SELECT row, vec_distance_hamming(vec_bit(signs), vec_bit(?)) AS distance FROM (
           SELECT row, signs FROM search_signs WHERE space = ? AND scope = ? ORDER BY row DESC LIMIT ?)
         ORDER BY distance, row DESC LIMIT ?)`,
    ).get(signsOf(values), space, scope.number, newest, looked) as [string | null]
    for (const [row, distance] of pairsIn(found)) near.set(row, -distance)
  }
  return passingRows(db, filter, near, wanted)
}
