/**
 * One SQLite file, with its reader and writer. Here both run in the caller's thread; in threaded.ts the writer has its
 * own thread.
 */
import { EngineUnavailable } from '../../ports/unavailable.ts'
import { closeDatabase, type Database, type FileSettings, openDatabase } from './base/database.ts'
import { engineFailure, isEngineFailure } from './base/failure.ts'
import { writerOn } from './base/writer.ts'
import { type Procedure, type ProcedureArguments, type ProcedureResult, procedures } from './procedures.ts'

export interface Sqlite {
  readonly path: string
  /**
   * Runs a procedure in the transaction of this tick, after earlier calls. Resolves with its result when the
   * transaction is durable. If the procedure throws, rejects with its error and none of its writes are kept. Rejects
   * with EngineUnavailable if the file is full, read-only or damaged; then nothing of the tick was kept.
   */
  call<P extends Procedure>(name: P, ...args: ProcedureArguments<P>): Promise<ProcedureResult<P>>
  /** Runs `work` on committed data at once. It must only read. Throws its errors, or EngineUnavailable. */
  read<T>(work: (database: Database) => T): T
  /** Limits the file to this many pages of 4 KiB. For tests of a full disk. */
  limitPages(pages: number): void
  /** Finishes pending writes, then closes the file. */
  close(): Promise<void>
}

export interface InlineSqlite extends Sqlite {
  /** Like `call`, for any function. It may run twice, so it must only write to the database. */
  write<T>(work: (database: Database) => T): Promise<T>
}

export function openSqlite(settings: FileSettings): InlineSqlite {
  const database = openDatabase(settings)
  const writer = writerOn(database)
  let closed: Promise<void> | undefined

  function write<T>(work: (database: Database) => T): Promise<T> {
    if (closed) return Promise.reject(new EngineUnavailable('sqlite', 'closed', undefined, 'closed'))
    return new Promise<T>((resolve, reject) => {
      writer.add({ work, resolve: resolve as (result: unknown) => void, reject })
    })
  }

  return {
    path: settings.path,
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
