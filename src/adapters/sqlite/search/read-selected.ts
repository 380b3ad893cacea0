/**
 * Makes candidates of the selected documents. Their terms are read in pieces, so that other requests are served in
 * between: 200 documents of 200,000 characters take .3 s.
 */
import type { RecordKind } from '../../../ids.ts'
import { piecesBySize } from '../../../ports/chunks.ts'
import type { Candidate } from '../../../ports/search.ts'
import { countsIn } from '../../../text/places.ts'
import { type Database, statement } from '../base/database.ts'
import { lengthClasses, lengthOfClass } from './schema.ts'

/** Tokens of the documents that are read in one piece: about 15 ms. */
const tokensAtOnce = 400_000

export interface Selection {
  /** Rows of search_documents. */
  rows: readonly number[]
  /** Encoded. */
  terms: readonly string[]
}

export interface Selected<S> {
  selected: S
  /** In the order of the rows. */
  candidates: Candidate[]
}

/** `reading` runs each piece in a turn of its own. */
export async function readSelected<S extends Selection>(
  reading: <Result>(work: (db: Database) => Result) => Promise<Result>,
  select: (db: Database) => S,
): Promise<Selected<S>> {
  const begun = await reading((db) => {
    const selected = select(db)
    const pieces = piecesBySize(selected.rows, (row) => lengthOfClass[row % lengthClasses] as number, tokensAtOnce)
    if (pieces.length <= 1) return { selected, candidates: candidatesOf(db, selected.rows, selected.terms) }
    return { selected, pieces, ids: idsOf(db, selected.rows) }
  })
  if (begun.pieces === undefined) return begun
  const { selected, pieces, ids } = begun
  const candidates: Candidate[] = []
  for (const piece of pieces) candidates.push(...(await reading((db) => candidatesOf(db, piece, selected.terms))))
  if (candidates.length === ids.length && candidates.every(({ id }, n) => id === ids[n]))
    return { selected, candidates }
  // a document was replaced or deleted meanwhile; its row may be gone, or belong to another document
  return reading((db) => {
    const again = select(db)
    return { selected: again, candidates: candidatesOf(db, again.rows, again.terms) }
  })
}

function idsOf(db: Database, rows: readonly number[]): string[] {
  const found = statement(db, 'SELECT row, id FROM search_documents WHERE row IN (SELECT value FROM json_each(?))').all(
    JSON.stringify(rows),
  ) as [number, string][]
  const ids = new Map(found)
  return rows.map((row) => ids.get(row) as string)
}

/** In the order of the rows; rows that don't exist are left out. */
function candidatesOf(db: Database, rows: readonly number[], terms: readonly string[]): Candidate[] {
  // returns one string: separate values for each field and row would cost three times as much
  const [found] = statement(
    db,
    `SELECT group_concat(
       concat_ws(char(31), row, length, id, record_id, kind, version, valid_from, coalesce(valid_to, ''), terms), char(30))
     FROM search_documents WHERE row IN (SELECT value FROM json_each(?))`,
  ).get(JSON.stringify(rows)) as [string | null]
  const read = new Map<number, string>()
  for (const fields of found?.split('\x1e') ?? []) read.set(Number(fields.slice(0, fields.indexOf('\x1f'))), fields)
  return rows.flatMap((row) => {
    const fields = read.get(row)
    return fields === undefined ? [] : [candidateOf(fields, terms)]
  })
}

function candidateOf(fields: string, terms: readonly string[]): Candidate {
  const [, length, id, record_id, kind, version, valid_from, valid_to, text] = fields.split('\x1f') as string[]
  return {
    id: id as string,
    record_id: record_id as string,
    kind: kind as RecordKind,
    version: Number(version),
    valid_from: valid_from as string,
    valid_to: valid_to === '' ? null : (valid_to as string),
    length: Number(length),
    ...countsIn(text as string, terms),
  }
}
