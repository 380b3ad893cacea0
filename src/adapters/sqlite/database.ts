/** One connection to a SQLite file, and its prepared statements. */
import { closeSync, openSync } from 'node:fs'
import { DatabaseSync } from '@photostructure/sqlite'
import { engineFailure } from './failure.ts'

export type Database = InstanceType<typeof DatabaseSync>
export type SqliteValue = string | number | null | Uint8Array

/** A prepared statement; rows are arrays in the order of the columns. */
export interface Statement {
  run(...values: SqliteValue[]): { changes: number }
  get(...values: SqliteValue[]): unknown[] | undefined
  all(...values: SqliteValue[]): unknown[][]
}

/** The texts of statements are few, but those of lists vary. */
const statementsKept = 500
const statements = new WeakMap<Database, Map<string, Statement>>()

/** Prepared once for a connection and kept (the newest 500 texts). */
export function statement(database: Database, sql: string): Statement {
  let kept = statements.get(database)
  if (!kept) {
    kept = new Map()
    statements.set(database, kept)
  }
  const known = kept.get(sql)
  if (known) return known
  const prepared = database.prepare(sql)
  prepared.setReturnArrays(true)
  if (kept.size >= statementsKept) kept.delete(kept.keys().next().value as string)
  kept.set(sql, prepared)
  return prepared
}

/** For reading only. Throws EngineUnavailable. */
export function openReader(path: string): Database {
  try {
    const database = extensible(new DatabaseSync(path, { timeout: 5000, readOnly: true, allowExtension: true }))
    // KiB. Grows with use only; what it lacks, the page cache of the system has
    database.exec('PRAGMA cache_size = -8192; PRAGMA temp_store = MEMORY')
    return database
  } catch (error) {
    throw engineFailure(error, `cannot open ${path}`)
  }
}

/** It may be given an extension later (vector-extension.ts); no statement can load one. */
function extensible(database: Database): Database {
  database.enableLoadExtension(false)
  return database
}

/** Closes it; its statements are forgotten. */
export function closeDatabase(database: Database): void {
  statements.delete(database)
  database.close()
}

/** For reading and writing; made where it is missing. Throws EngineUnavailable. */
export function openDatabase(path: string): Database {
  try {
    // a database in memory has no file
    if (path !== ':memory:') createPrivate(path)
    const database = extensible(new DatabaseSync(path, { timeout: 5000, allowExtension: true }))
    database.exec(`
      PRAGMA page_size = 4096;
      PRAGMA journal_mode = WAL;
      PRAGMA synchronous = FULL;
      PRAGMA temp_store = MEMORY;
      -- KiB. Grows with use only; what it lacks, the page cache of the system has
      PRAGMA cache_size = -16384;
      -- 16 MiB: seldom enough that pages which change often are copied once, small enough that no commit is held up long
      PRAGMA wal_autocheckpoint = 4000;
      PRAGMA journal_size_limit = 67108864;
    `)
    return database
  } catch (error) {
    throw engineFailure(error, `cannot open ${path}`)
  }
}

/**
 * Creates the file, if it is missing, readable by its owner alone: it holds everything that any caller may see. SQLite
 * gives the files beside it (-wal, -shm) the same mode. The mode of an existing file is its owner's choice.
 */
export function createPrivate(path: string): void {
  closeSync(openSync(path, 'a', 0o600))
}
