/**
 * All writes to the file, by name: a call is sent to the writer thread as a name and arguments. A procedure runs in a
 * transaction and may run twice, so it must only write to the database.
 */
import assert from 'node:assert/strict'
import type { Watermark } from '../../ports/search.ts'
import { type Database, type SqliteValue, statement } from './base/database.ts'
import type { Definition } from './base/interned.ts'
import {
  advanceWatermark,
  createIndex,
  deletePiece,
  forgetName,
  numberOfIndex,
  writeWatermark,
} from './search/indexes.ts'
import { type Packed, removeStored, storePacked } from './search/upsert.ts'
import { openSearchTables } from './search/version.ts'

/** The text and the values of a statement. */
export type Asked = readonly [text: string, values: readonly SqliteValue[]]

/** The values of a row, and the value for its side table. */
export interface SplitRow {
  values: readonly SqliteValue[]
  sideValue: SqliteValue
}

const plain = {
  /** Returns the number of changed rows. */
  run: (db: Database, text: string, values: readonly SqliteValue[]): number =>
    statement(db, text).run(...values).changes,

  /** Returns the number of rows that the last statement changed. */
  runEach(db: Database, asked: readonly Asked[]): number {
    let changes = 0
    for (const [text, values] of asked) changes = statement(db, text).run(...values).changes
    return changes
  },

  /** Runs a statement for each row. Returns the positions of rows that changed nothing. */
  runRows(db: Database, text: string, rows: readonly (readonly SqliteValue[])[]): number[] {
    const prepared = statement(db, text)
    const unchanged: number[] = []
    for (const [at, values] of rows.entries()) if (prepared.run(...values).changes === 0) unchanged.push(at)
    return unchanged
  },

  /**
   * Like runRows, and stores the value of each inserted row in the side table, unless it is null. The first value of a
   * row is its id.
   */
  insertRows(db: Database, text: string, sideText: string, rows: readonly SplitRow[]): number[] {
    const prepared = statement(db, text)
    const unchanged: number[] = []
    for (const [at, { values, sideValue }] of rows.entries()) {
      if (prepared.run(...values).changes === 0) unchanged.push(at)
      else if (sideValue !== null) statement(db, sideText).run(values[0] as SqliteValue, sideValue)
    }
    return unchanged
  },

  /** Runs the steps in order; all or none take effect. */
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

  /** Allocates some pages and frees them. This fails if the disk is full. */
  probe(db: Database): void {
    statement(db, 'INSERT INTO documents_probe (room) VALUES (zeroblob(65536))').run()
    statement(db, 'DELETE FROM documents_probe').run()
  },

  openSearchTables: (db: Database): void => openSearchTables(db),

  createIndex,

  /** Removes the name; deletePiece deletes the content. */
  forgetIndex: forgetName,

  /** Returns whether content of dropped indexes is left. */
  deletePiece,

  storeDocuments(db: Database, index: string, documents: readonly Packed[]): void {
    storePacked(db, numberOfIndex(db, index), documents)
  },

  removeDocuments(db: Database, index: string, ids: readonly string[], version: number): void {
    removeStored(db, numberOfIndex(db, index), ids, version)
  },

  writeWatermark(db: Database, index: string, workspace: string, watermark: Watermark): void {
    writeWatermark(db, numberOfIndex(db, index), workspace, watermark)
  },

  advanceWatermark: (db: Database, index: string, workspace: string, watermark: Watermark): boolean =>
    advanceWatermark(db, numberOfIndex(db, index), workspace, watermark),
}

export const procedures = {
  ...plain,

  /** Defines new interned strings, then runs the procedure. */
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

/** The procedures that the writes of inOrder() call. */
export type Step = { [P in Stepping]: { name: P; args: ProcedureArguments<P> } }[Stepping]
type Stepping = 'run' | 'runEach' | 'runRows' | 'insertRows'

export type Procedure = keyof typeof procedures
export type ProcedureArguments<P extends Procedure> =
  Parameters<(typeof procedures)[P]> extends [Database, ...infer Rest] ? Rest : never
export type ProcedureResult<P extends Procedure> = ReturnType<(typeof procedures)[P]>
