/**
 * Vectors of search documents, in plain tables. They are compared with functions of the extension sqlite-vec. Its
 * virtual table vec0 would need chunks for each scope, and ran at a third of the speed. With plain tables, writing
 * needs no extension.
 */
import type { Vector } from '../../../ports/search.ts'
import { type Database, statement } from '../base/database.ts'

export const vectorSchema = `
  CREATE TABLE search_spaces (
    number INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE
  );
  CREATE TABLE search_vectors (
    -- of search_documents
    row INTEGER PRIMARY KEY,
    space INTEGER NOT NULL,
    scope INTEGER NOT NULL,
    vector BLOB NOT NULL
  );
  -- one bit for each dimension: set if the value is above 0. A first selection by these reads a thirtieth of the bytes
  CREATE TABLE search_signs (
    space INTEGER NOT NULL,
    scope INTEGER NOT NULL,
    row INTEGER NOT NULL,
    signs BLOB NOT NULL,
    PRIMARY KEY (space, scope, row)
  ) WITHOUT ROWID;
`

/** Replaces the vector of the row, if there is one. */
export function storeVector(db: Database, row: number, scope: number, { space, values }: Vector): void {
  removeVector(db, row)
  const number = makeSpace(db, space)
  statement(db, 'INSERT INTO search_vectors (row, space, scope, vector) VALUES (?, ?, ?, ?)').run(
    row,
    number,
    scope,
    bytesOf(values),
  )
  statement(db, 'INSERT INTO search_signs (space, scope, row, signs) VALUES (?, ?, ?, ?)').run(
    number,
    scope,
    row,
    signsOf(values),
  )
}

/** Row numbers are reused, so a vector must be deleted with its row. */
export function removeVector(db: Database, row: number): void {
  const removed = statement(db, 'DELETE FROM search_vectors WHERE row = ? RETURNING space, scope').get(row)
  if (removed === undefined) return
  const [space, scope] = removed as [number, number]
  statement(db, 'DELETE FROM search_signs WHERE space = ? AND scope = ? AND row = ?').run(space, scope, row)
}

export function findSpace(db: Database, name: string): number | undefined {
  return statement(db, 'SELECT number FROM search_spaces WHERE name = ?').get(name)?.[0] as number | undefined
}

function makeSpace(db: Database, name: string): number {
  const known = findSpace(db, name)
  if (known !== undefined) return known
  statement(db, 'INSERT INTO search_spaces (name) VALUES (?)').run(name)
  return findSpace(db, name) as number
}

/** Those of the ids that have a document in this index that is no tombstone and lacks a vector of this space. */
export function unembeddedOf(db: Database, index: number, space: string, ids: readonly string[]): string[] {
  const rows = statement(
    db,
    `SELECT d.id FROM search_documents d LEFT JOIN search_vectors v ON v.row = d.row AND v.space = ?
     WHERE d.search_index = ? AND d.id IN (SELECT value FROM json_each(?)) AND d.scope IS NOT NULL AND v.row IS NULL`,
  ).all(findSpace(db, space) ?? null, index, JSON.stringify(ids))
  return rows.map(([id]) => id as string)
}

/** The format of sqlite-vec: 32-bit floats. */
export function bytesOf(values: Float32Array): Uint8Array {
  return new Uint8Array(values.buffer, values.byteOffset, values.byteLength)
}

export function signsOf(values: Float32Array): Uint8Array {
  const signs = new Uint8Array(Math.ceil(values.length / 8))
  for (let n = 0; n < values.length; n++) {
    if ((values[n] as number) > 0) signs[n >> 3] = (signs[n >> 3] as number) | (1 << (n & 7))
  }
  return signs
}
