/**
 * The one writer of a file. All writes of one tick share one transaction: many callers, one fsync. Everything in a
 * transaction is synchronous, so that a read never meets an open one.
 */
import assert from 'node:assert/strict'
import { EngineUnavailable } from '../../ports/unavailable.ts'
import type { Database } from './database.ts'
import { engineFailure, isEngineFailure } from './failure.ts'

export interface Writer {
  /** In the transaction of this tick, after what was asked for before. */
  add(write: Write): void
  /** Does at once what was asked for. */
  finish(): void
}

export interface Write {
  /** May run twice: it does nothing but write. */
  work: (database: Database) => unknown
  /** Once it is durable. */
  resolve(result: unknown): void
  /** With what `work` threw, or with EngineUnavailable: nothing of it was kept. */
  reject(error: unknown): void
}

type Outcome = { write: Write; result: unknown } | { write: Write; error: unknown }

/** One transaction holds no more writes and takes no more ms than this: the process answers others in between. */
const writesAtOnce = 2000
const msAtOnce = 25

/** `settled` is called when those of a transaction were told. */
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
    // finishing has done them already
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
