/**
 * The only writer of a file. All writes of one tick share a transaction, so many callers need one fsync. A transaction
 * is synchronous, so reads never see an open one.
 */
import assert from 'node:assert/strict'
import { EngineUnavailable } from '../../../ports/unavailable.ts'
import type { Database } from './database.ts'
import { engineFailure, isEngineFailure } from './failure.ts'

export interface Writer {
  /** Adds a write to the transaction of this tick, after earlier ones. */
  add(write: Write): void
  /** Runs pending writes at once. */
  finish(): void
}

export interface Write {
  /** May run twice, so it must only write to the database. */
  work: (database: Database) => unknown
  /** Called when the write is durable. */
  resolve(result: unknown): void
  /** Called with the error of `work` or with EngineUnavailable. Nothing of the write was kept. */
  reject(error: unknown): void
}

type Outcome = { write: Write; result: unknown } | { write: Write; error: unknown }

/** Limits of one transaction. Between transactions the process can do other work. */
const writesAtOnce = 2000
const msAtOnce = 25

/** `settled` is called when all writes of a transaction are resolved or rejected. */
export function writerOn(database: Database, settled: () => void = () => {}): Writer {
  let waiting: Write[] = []
  let scheduled = false

  function schedule(): void {
    if (scheduled) return
    scheduled = true
    setImmediate(tick)
  }

  function tick(): void {
    scheduled = false
    // finish() has run them already
    if (waiting.length === 0) return
    const taken = waiting.splice(0, writesAtOnce)
    waiting = [...commitTogether(database, taken), ...waiting]
    settled()
    if (waiting.length > 0) schedule()
  }

  return {
    add(write) {
      waiting.push(write)
      schedule()
    },
    finish() {
      while (waiting.length > 0) tick()
    },
  }
}

/** Runs writes in one transaction and settles them. Returns those that there was no time for. */
function commitTogether(database: Database, writes: Write[]): Write[] {
  let outcomes: Outcome[] = []
  try {
    database.exec('BEGIN IMMEDIATE')
    const plain = runPlain(database, writes)
    if (plain) outcomes = plain
    else {
      // one of them failed: roll back, and run each in its own savepoint. This is rare, and savepoints are slow
      database.exec('ROLLBACK; BEGIN IMMEDIATE')
      outcomes = runGuarded(database, writes)
    }
    database.exec('COMMIT')
  } catch (error) {
    rollBack(database)
    const failure = isEngineFailure(error) ? engineFailure(error) : error
    // writes that were not reached would fail too, so reject all
    for (const { reject } of writes) reject(failure)
    return []
  }
  for (const outcome of outcomes) {
    if ('error' in outcome) outcome.write.reject(outcome.error)
    else outcome.write.resolve(outcome.result)
  }
  return writes.slice(outcomes.length)
}

/** undefined: a write threw. Throws if the engine fails. */
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

/** Rolls back each write that throws, and continues. Throws if the engine fails. */
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
  // a full disk makes SQLite roll back by itself. Later writes would run outside of any transaction
  if (!database.isTransaction) throw new EngineUnavailable('sqlite', 'the transaction was rolled back')
  return result
}

function rollBack(database: Database): void {
  if (!database.isTransaction) return
  try {
    database.exec('ROLLBACK')
  } catch {
    // the engine has rolled back already, or does so when the file is used next
  }
}
