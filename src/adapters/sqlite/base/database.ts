/** A connection to a SQLite file, and its prepared statements. */
import { closeSync, existsSync, openSync } from 'node:fs'
import { DatabaseSync } from '@photostructure/sqlite'
import { LRUCache } from 'lru-cache'
import { engineFailure } from './failure.ts'

export type Database = InstanceType<typeof DatabaseSync>
export type SqliteValue = string | number | null | Uint8Array

/** A prepared statement. Rows are arrays, in the order of the columns. */
export interface Statement {
  run(...values: SqliteValue[]): { changes: number }
  get(...values: SqliteValue[]): unknown[] | undefined
  all(...values: SqliteValue[]): unknown[][]
}

/** There are few statements, but those with lists vary. */
const statementsKept = 500
const statements = new WeakMap<Database, LRUCache<string, Statement>>()

/** Prepares a statement once for each connection, and caches the 500 used last. */
export function statement(database: Database, sql: string): Statement {
  let kept = statements.get(database)
  if (!kept) {
    kept = new LRUCache({ max: statementsKept })
    statements.set(database, kept)
  }
  const known = kept.get(sql)
  if (known) return known
  const prepared = database.prepare(sql)
  prepared.setReturnArrays(true)
  kept.set(sql, prepared)
  return prepared
}

/** Opens the file for reading only. Throws EngineUnavailable. */
export function openReader(path: string): Database {
  try {
    const database = extensible(new DatabaseSync(path, { timeout: 5000, readOnly: true, allowExtension: true }))
    // KiB. The cache grows only with use. Pages that don't fit are in the cache of the operating system
    database.exec('PRAGMA cache_size = -8192; PRAGMA temp_store = MEMORY')
    return database
  } catch (error) {
    throw engineFailure(error, `cannot open ${path}`)
  }
}

/** Only loadExtension of vector-extension.ts can load an extension later; no SQL statement can. */
function extensible(database: Database): Database {
  database.enableLoadExtension(false)
  return database
}

/** Closes the connection and drops its statements. */
export function closeDatabase(database: Database): void {
  statements.delete(database)
  database.close()
}

export interface FileSettings {
  path: string
  /**
   * Its content can be made again, so commits don't wait for the disk. A process that dies loses nothing. A machine that
   * dies may lose the newest commits, but never some without those after them.
   */
  isDisposable?: boolean
}

/** Opens the file for reading and writing. Created if missing. Throws EngineUnavailable. */
export function openDatabase({ path, isDisposable = false }: FileSettings): Database {
  try {
    // a database in memory has no file
    if (path !== ':memory:') createPrivate(path)
    const database = extensible(new DatabaseSync(path, { timeout: 5000, allowExtension: true }))
    database.exec(`
      PRAGMA page_size = 4096;
      PRAGMA journal_mode = WAL;
      PRAGMA synchronous = ${isDisposable ? 'NORMAL' : 'FULL'};
      PRAGMA temp_store = MEMORY;
      -- KiB. The cache grows only with use. Pages that don't fit are in the cache of the operating system
      PRAGMA cache_size = -16384;
      -- 16 MiB: large enough that a page which changes often is copied once, small enough that no commit waits long
      PRAGMA wal_autocheckpoint = 4000;
      PRAGMA journal_size_limit = 67108864;
    `)
    return database
  } catch (error) {
    throw engineFailure(error, `cannot open ${path}`)
  }
}

/**
 * Creates the file if it is missing, readable only by its owner, because it holds the records of all callers. SQLite
 * gives -wal and -shm files the same mode. The mode of an existing file is left alone.
 */
export function createPrivate(path: string): void {
  // if a file is closed, the process loses its POSIX locks on it: those of SQLite too, if it has the file open
  if (existsSync(path)) return
  closeSync(openSync(path, 'a', 0o600))
}
