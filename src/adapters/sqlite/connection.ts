/** One SQLite file: who reads it and who writes to it. Here both are in the caller's thread; threaded.ts has a thread for writing. */
import { EngineUnavailable } from '../../ports/unavailable.ts'
import { closeDatabase, type Database, openDatabase } from './database.ts'
import { engineFailure, isEngineFailure } from './failure.ts'
import { type Procedure, type ProcedureArguments, type ProcedureResult, procedures } from './procedures.ts'
import { writerOn } from './writer.ts'

export interface Sqlite {
  readonly path: string
  /**
   * Runs a procedure in the transaction of this tick, after the writes that were asked for before. Resolves with its
   * result once that is durable. Rejects with what it throws, having written nothing; with EngineUnavailable where the
   * file is full, read-only or broken (then nothing of the tick was kept).
   */
  call<P extends Procedure>(name: P, ...args: ProcedureArguments<P>): Promise<ProcedureResult<P>>
  /** Runs `work`, which only reads, on committed state, at once. Throws what it throws, and EngineUnavailable. */
  read<T>(work: (database: Database) => T): T
  /** How many pages of 4 KiB the file may have; for tests of a full disk. */
  limitPages(pages: number): void
  /** Ends the writes that were asked for, then closes the file. */
  close(): Promise<void>
}

export interface InlineSqlite extends Sqlite {
  /** What `call` does, for any work. It may run twice: it does nothing but write. */
  write<T>(work: (database: Database) => T): Promise<T>
}

export function openSqlite({ path }: { path: string }): InlineSqlite {
  const database = openDatabase(path)
  const writer = writerOn(database)
  let closed: Promise<void> | undefined

  function write<T>(work: (database: Database) => T): Promise<T> {
    if (closed) return Promise.reject(new EngineUnavailable('sqlite', 'closed', undefined, 'closed'))
    return new Promise<T>((resolve, reject) => {
      writer.add({ work, resolve: resolve as (result: unknown) => void, reject })
    })
  }

  return {
    path,
    write,
    call: (name, ...args) => write((db) => runProcedure(db, name, args)),
    read: (work) => readOn(database, work),
    limitPages: (pages) => limitPages(database, pages),
    close() {
      closed ??= (async () => {
        writer.finish()
        closeDatabase(database)
      })()
      return closed
    },
  }
}

export function runProcedure<P extends Procedure>(
  database: Database,
  name: P,
  args: ProcedureArguments<P>,
): ProcedureResult<P> {
  const procedure = procedures[name] as unknown as (
    database: Database,
    ...args: ProcedureArguments<P>
  ) => ProcedureResult<P>
  return procedure(database, ...args)
}

export function readOn<T>(database: Database, work: (database: Database) => T): T {
  if (!database.isOpen) throw new EngineUnavailable('sqlite', 'closed', undefined, 'closed')
  try {
    return work(database)
  } catch (error) {
    throw isEngineFailure(error) ? engineFailure(error) : error
  }
}

export function limitPages(database: Database, pages: number): void {
  database.exec(`PRAGMA max_page_count = ${Math.trunc(pages)}`)
}
