/**
 * One SQLite file, its prepared statements and its writer. All writes of one tick share one transaction: many callers,
 * one fsync. Everything in a transaction is synchronous, so that a read never meets an open one.
 */
import assert from 'node:assert/strict'
import { DatabaseSync } from '@photostructure/sqlite'
import { EngineUnavailable } from '../../ports/unavailable.ts'
import { engineFailure, isEngineFailure } from './failure.ts'

export type Database = InstanceType<typeof DatabaseSync>
export type SqliteValue = string | number | null | Uint8Array

/** A prepared statement; rows are arrays in the order of the columns. */
export interface Statement {
  run(...values: SqliteValue[]): { changes: number }
  get(...values: SqliteValue[]): unknown[] | undefined
  all(...values: SqliteValue[]): unknown[][]
}

export interface Sqlite {
  readonly path: string
  /**
   * Runs `work` in the transaction of this tick, after the writes that were asked for before. Resolves with its result
   * once that is durable. Rejects with what it throws, having written nothing; with EngineUnavailable where the file is
   * full, read-only or broken (then nothing of the tick was kept). `work` may run twice: it does nothing but write.
   */
  write<T>(work: (database: Database) => T): Promise<T>
  /** Runs `work`, which only reads, on committed state, at once. Throws what it throws, and EngineUnavailable. */
  read<T>(work: (database: Database) => T): T
  /** How many pages of 4 KiB the file may have; for tests of a full disk. */
  limitPages(pages: number): void
  /** Ends the writes that were asked for, then closes the file. */
  close(): Promise<void>
}

interface Write {
  work: (database: Database) => unknown
  resolve(result: unknown): void
  reject(error: unknown): void
}

type Outcome = { write: Write; result: unknown } | { write: Write; error: unknown }

/** The texts of statements are few, but those of lists vary. */
const statementsKept = 500
const statements = new WeakMap<Database, Map<string, Statement>>()
/** One transaction holds no more writes and takes no more ms than this: the process answers others in between. */
const writesAtOnce = 2000
const msAtOnce = 25

export function openSqlite({ path, maxPages }: { path: string; maxPages?: number }): Sqlite {
  const database = open(path)
  let waiting: Write[] = []
  let scheduled = false
  let closed: Promise<void> | undefined

  function schedule(): void {
    if (scheduled) return
    scheduled = true
    setImmediate(tick)
  }

  function tick(): void {
    scheduled = false
    // closing has done them already
    if (waiting.length === 0) return
    const taken = waiting.splice(0, writesAtOnce)
    waiting = [...commitTogether(database, taken), ...waiting]
    if (waiting.length > 0) schedule()
  }

  function limitPages(pages: number): void {
    database.exec(`PRAGMA max_page_count = ${Math.trunc(pages)}`)
  }

  if (maxPages !== undefined) limitPages(maxPages)
  return {
    path,
    limitPages,
    write<T>(work: (database: Database) => T) {
      if (closed) return Promise.reject(new EngineUnavailable('sqlite', 'closed'))
      return new Promise<T>((resolve, reject) => {
        waiting.push({ work, resolve: resolve as (result: unknown) => void, reject })
        schedule()
      })
    },
    read(work) {
      if (!database.isOpen) throw new EngineUnavailable('sqlite', 'closed')
      try {
        return work(database)
      } catch (error) {
        throw isEngineFailure(error) ? engineFailure(error) : error
      }
    },
    close() {
      closed ??= (async () => {
        while (waiting.length > 0) tick()
        statements.delete(database)
        database.close()
      })()
      return closed
    },
  }
}

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

function open(path: string): Database {
  try {
    const database = new DatabaseSync(path, { timeout: 5000 })
    database.exec(`
      PRAGMA page_size = 4096;
      PRAGMA journal_mode = WAL;
      PRAGMA synchronous = FULL;
      PRAGMA temp_store = MEMORY;
      -- KiB. Grows with use only; what it lacks, the page cache of the system has
      PRAGMA cache_size = -32768;
      -- 16 MiB: seldom enough that pages which change often are copied once, small enough that no commit is held up long
      PRAGMA wal_autocheckpoint = 4000;
      PRAGMA journal_size_limit = 67108864;
    `)
    return database
  } catch (error) {
    throw engineFailure(error, `cannot open ${path}`)
  }
}

/** Runs the writes in one transaction and settles them. Returns those that it had no more time for. */
function commitTogether(database: Database, writes: Write[]): Write[] {
  let outcomes: Outcome[] = []
  try {
    database.exec('BEGIN IMMEDIATE')
    const plain = runPlain(database, writes)
    if (plain) outcomes = plain
    else {
      // one of them failed: undo it all, and again with each behind a savepoint. That is rare, and savepoints cost
      database.exec('ROLLBACK; BEGIN IMMEDIATE')
      outcomes = runGuarded(database, writes)
    }
    database.exec('COMMIT')
  } catch (error) {
    rollBack(database)
    const failure = isEngineFailure(error) ? engineFailure(error) : error
    // those that were not reached would meet the same: they are told at once
    for (const { reject } of writes) reject(failure)
    return []
  }
  for (const outcome of outcomes) {
    if ('error' in outcome) outcome.write.reject(outcome.error)
    else outcome.write.resolve(outcome.result)
  }
  return writes.slice(outcomes.length)
}

/** undefined: one of them threw. Throws when the engine fails. */
function runPlain(database: Database, writes: Write[]): Outcome[] | undefined {
  const outcomes: Outcome[] = []
  const until = performance.now() + msAtOnce
  for (const write of writes) {
    try {
      outcomes.push({ write, result: run(database, write) })
    } catch (error) {
      if (isEngineFailure(error) || !database.isTransaction) throw error
      return undefined
    }
    if (performance.now() > until) break
  }
  return outcomes
}

/** Undoes each that throws, and goes on. Throws when the engine fails. */
function runGuarded(database: Database, writes: Write[]): Outcome[] {
  const outcomes: Outcome[] = []
  const until = performance.now() + msAtOnce
  for (const write of writes) {
    database.exec('SAVEPOINT one')
    try {
      outcomes.push({ write, result: run(database, write) })
      database.exec('RELEASE one')
    } catch (error) {
      if (isEngineFailure(error) || !database.isTransaction) throw error
      database.exec('ROLLBACK TO one; RELEASE one')
      outcomes.push({ write, error })
    }
    if (performance.now() > until) break
  }
  return outcomes
}

function run(database: Database, write: Write): unknown {
  const result = write.work(database)
  assert(!(result instanceof Promise), 'a write is synchronous: the transaction ends with the tick')
  // a full disk rolls back by itself; what came after would have been written outside of any transaction
  if (!database.isTransaction) throw new EngineUnavailable('sqlite', 'the transaction was rolled back')
  return result
}

function rollBack(database: Database): void {
  if (!database.isTransaction) return
  try {
    database.exec('ROLLBACK')
  } catch {
    // an engine that fails to roll back has done so already, or does when the file is next used
  }
}
