/** Reads rows of search_documents and makes candidates of them. */
import type { RecordKind } from '../../../ids.ts'
import type { Candidate } from '../../../ports/search.ts'
import { countsIn } from '../../../text/places.ts'
import { type Database, statement } from '../base/database.ts'

/** The fields as one string: it is split only for rows that become candidates. */
export type DocumentRow = string & { readonly type: 'fields of search_documents' }

/** By row. Rows that don't exist are missing. */
export function readRows(db: Database, rows: readonly number[]): Map<number, DocumentRow> {
  // returns one string: separate values for each field and row would cost three times as much
  const [found] = statement(
    db,
    `SELECT group_concat(
       concat_ws(char(31), row, length, id, record_id, kind, version, valid_from, coalesce(valid_to, ''), terms), char(30))
     FROM search_documents WHERE row IN (SELECT value FROM json_each(?))`,
  ).get(JSON.stringify(rows)) as [string | null]
  const read = new Map<number, DocumentRow>()
  for (const text of found?.split('\x1e') ?? [])
    read.set(Number(text.slice(0, text.indexOf('\x1f'))), text as DocumentRow)
  return read
}

/** `terms`: encoded. */
export function candidateOf(row: DocumentRow, terms: readonly string[]): Candidate {
  const [, length, id, record_id, kind, version, valid_from, valid_to, text] = row.split('\x1f') as string[]
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
