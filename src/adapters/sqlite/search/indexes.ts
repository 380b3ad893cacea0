/** Search indexes: names, watermarks, and deletion. */
import { inVersion } from '../../../ports/index-versions.ts'
import type { Watermark } from '../../../ports/search.ts'
import { type Database, statement } from '../base/database.ts'
import { MissingIndex } from '../base/failure.ts'
import { removeVector } from './vectors.ts'

export function createIndex(db: Database, name: string): void {
  statement(db, 'INSERT INTO search_indexes (name) VALUES (?) ON CONFLICT (name) DO NOTHING').run(name)
}

export function findIndex(db: Database, name: string): number | undefined {
  const row = statement(db, 'SELECT number FROM search_indexes WHERE name = ?').get(name) as [number] | undefined
  return row?.[0]
}

/** The versions in which the index is stored. */
export function storedVersions(db: Database, index: string): string[] {
  const start = inVersion(index, '')
  const rows = statement(db, 'SELECT name FROM search_indexes WHERE substr(name, 1, ?) = ?').all(start.length, start)
  return rows.map(([name]) => (name as string).slice(start.length))
}

/** Throws MissingIndex if there is none. */
export function numberOfIndex(db: Database, name: string): number {
  const number = findIndex(db, name)
  if (number === undefined) throw new MissingIndex(name)
  return number
}

/** Within an epoch the highest sequence stays, so a worker that was suspended for long can't set it back. */
export function writeWatermark(db: Database, index: number, workspace: string, { epoch, sequence }: Watermark): void {
  statement(
    db,
    `INSERT INTO search_workspaces (search_index, workspace, epoch, sequence) VALUES (?1, ?2, ?3, ?4)
     ON CONFLICT (search_index, workspace) DO UPDATE SET epoch = ?3, sequence = ?4
     WHERE epoch <> ?3 OR sequence < ?4`,
  ).run(index, workspace, epoch, sequence)
}

/** false: the workspace has no watermark, and none is created. */
export function advanceWatermark(db: Database, index: number, workspace: string, watermark: Watermark): boolean {
  const known = statement(db, 'SELECT 1 FROM search_workspaces WHERE search_index = ? AND workspace = ?')
  if (known.get(index, workspace) === undefined) return false
  writeWatermark(db, index, workspace, watermark)
  return true
}

/** undefined also if the index does not exist. */
export function readWatermark(db: Database, name: string, workspace: string): Watermark | undefined {
  const row = statement(
    db,
    `SELECT epoch, sequence FROM search_workspaces
     WHERE search_index = (SELECT number FROM search_indexes WHERE name = ?) AND workspace = ?`,
  ).get(name, workspace)
  if (row === undefined) return undefined
  const [epoch, sequence] = row as [string, number]
  return { epoch, sequence }
}

/** Removes the name of an index. deletePiece deletes its rows piece by piece. */
export function forgetName(db: Database, name: string): void {
  statement(db, 'UPDATE search_indexes SET name = NULL WHERE name = ?').run(name)
}

/** Documents deleted in one transaction: about 10 ms, and sometimes a merge of postings. */
const piece = 200

/** Deletes a part of the dropped indexes; false: nothing is left of them. */
export function deletePiece(db: Database): boolean {
  const dropped = statement(db, 'SELECT number FROM search_indexes WHERE name IS NULL LIMIT 1').get()?.[0] as
    | number
    | undefined
  if (dropped === undefined) return false
  const rows = statement(db, 'SELECT row, scope FROM search_documents WHERE search_index = ? LIMIT ?').all(
    dropped,
    piece,
  ) as [number, number | null][]
  for (const [row, scope] of rows) {
    if (scope !== null) {
      statement(db, 'DELETE FROM search_postings WHERE rowid = ?').run(row)
      removeVector(db, row)
    }
    statement(db, 'DELETE FROM search_documents WHERE row = ?').run(row)
  }
  if (rows.length === 0) {
    statement(
      db,
      'DELETE FROM search_marks WHERE scope IN (SELECT number FROM search_scopes WHERE search_index = ?)',
    ).run(dropped)
    statement(db, 'DELETE FROM search_scopes WHERE search_index = ?').run(dropped)
    statement(db, 'DELETE FROM search_workspaces WHERE search_index = ?').run(dropped)
    statement(db, 'DELETE FROM search_indexes WHERE number = ?').run(dropped)
  }
  return true
}

export function countDocuments(db: Database, index: number, workspace: string): number {
  const [documents] = statement(
    db,
    'SELECT coalesce(sum(documents), 0) FROM search_scopes WHERE search_index = ? AND workspace = ?',
  ).get(index, workspace) as [number]
  return documents
}
