/**
 * All that is written to the file, by name: a write crosses to the thread of the writer as its name and arguments.
 * A procedure runs in a transaction, and may run twice: it does nothing but write.
 */
import assert from 'node:assert/strict'
import type { Watermark } from '../../ports/search.ts'
import { type Database, type SqliteValue, statement } from './database.ts'
import type { Definition } from './interned.ts'
import {
  advanceWatermark,
  createIndex,
  deletePiece,
  forgetName,
  numberOfIndex,
  writeWatermark,
} from './search-indexes.ts'
import { searchSchema } from './search-schema.ts'
import { type Packed, storePacked } from './search-upsert.ts'
import { vectorSchema } from './search-vectors.ts'

/** One statement: its text and values. */
export type Asked = readonly [text: string, values: readonly SqliteValue[]]

/** A row and what of it has a table of its own. */
export interface SplitRow {
  values: readonly SqliteValue[]
  sideValue: SqliteValue
}

const plain = {
  /** Returns how many rows changed. */
  run: (db: Database, text: string, values: readonly SqliteValue[]): number =>
    statement(db, text).run(...values).changes,

  /** Returns how many rows the last of them changed. */
  runEach(db: Database, asked: readonly Asked[]): number {
    let changes = 0
    for (const [text, values] of asked) changes = statement(db, text).run(...values).changes
    return changes
  },

  /** One statement for each of these rows. Returns the places of those that changed nothing. */
  runRows(db: Database, text: string, rows: readonly (readonly SqliteValue[])[]): number[] {
    const prepared = statement(db, text)
    const unchanged: number[] = []
    for (const [at, values] of rows.entries()) if (prepared.run(...values).changes === 0) unchanged.push(at)
    return unchanged
  },

  /** As runRows, and of each row that is inserted what is kept apart (null: nothing); an id is the first of its values. */
  insertRows(db: Database, text: string, sideText: string, rows: readonly SplitRow[]): number[] {
    const prepared = statement(db, text)
    const unchanged: number[] = []
    for (const [at, { values, sideValue }] of rows.entries()) {
      if (prepared.run(...values).changes === 0) unchanged.push(at)
      else if (sideValue !== null) statement(db, sideText).run(values[0] as SqliteValue, sideValue)
    }
    return unchanged
  },

  /** Each after the other; all or none. */
  inOrder(db: Database, steps: readonly Step[]): void {
    for (const step of steps) {
      if (step.name === 'run') plain.run(db, ...step.args)
      else if (step.name === 'runEach') plain.runEach(db, ...step.args)
      else if (step.name === 'insertRows') plain.insertRows(db, ...step.args)
      else plain.runRows(db, ...step.args)
    }
  },

  define(db: Database, definitions: readonly string[]): void {
    for (const definition of definitions) db.exec(definition)
  },

  /** Takes room for some pages, and gives it back: a full disk shows. */
  probe(db: Database): void {
    statement(db, 'INSERT INTO documents_probe (room) VALUES (zeroblob(65536))').run()
    statement(db, 'DELETE FROM documents_probe').run()
  },

  defineSearch: (db: Database): void => db.exec(searchSchema + vectorSchema),

  createIndex,

  /** From now on there is no index of this name. */
  forgetIndex: forgetName,

  /** Returns whether something of dropped indexes is left. */
  deletePiece,

  storeDocuments(db: Database, index: string, documents: readonly Packed[]): void {
    storePacked(db, numberOfIndex(db, index), documents)
  },

  writeWatermark(db: Database, index: string, workspace: string, watermark: Watermark): void {
    writeWatermark(db, numberOfIndex(db, index), workspace, watermark)
  },

  advanceWatermark: (db: Database, index: string, workspace: string, watermark: Watermark): boolean =>
    advanceWatermark(db, numberOfIndex(db, index), workspace, watermark),
}

export const procedures = {
  ...plain,

  /** After interner that it needs have been defined. */
  defining(db: Database, definitions: readonly Definition[], name: string, args: readonly unknown[]): unknown {
    const insert = statement(db, 'INSERT INTO documents_symbols (number, text) VALUES (?, ?) ON CONFLICT DO NOTHING')
    const find = statement(db, 'SELECT text FROM documents_symbols WHERE number = ?')
    for (const [number, text] of definitions) {
      insert.run(number, text)
      assert(find.get(number)?.[0] === text, `another process has given the number ${number} to another string`)
    }
    return (plain[name as keyof typeof plain] as (on: Database, ...rest: readonly unknown[]) => unknown)(db, ...args)
  },
}

/** Those that may stand in a row. */
export type Step = { [P in Stepping]: { name: P; args: ProcedureArguments<P> } }[Stepping]
type Stepping = 'run' | 'runEach' | 'runRows' | 'insertRows'

export type Procedure = keyof typeof procedures
export type ProcedureArguments<P extends Procedure> =
  Parameters<(typeof procedures)[P]> extends [Database, ...infer Rest] ? Rest : never
export type ProcedureResult<P extends Procedure> = ReturnType<(typeof procedures)[P]>
