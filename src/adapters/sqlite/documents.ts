/** The documents port on SQLite (src/ports/documents.ts). */
import assert from 'node:assert/strict'
import type { Document, Documents } from '../../ports/documents.ts'
import { oneByOne } from '../../ports/in-order.ts'
import { assertLayout, layout } from '../../ports/layout.ts'
import { assertServed, conditionsOf } from '../../ports/plan.ts'
import { faultIn } from '../../ports/unavailable.ts'
import { deleteSql, insertSql, updateSql, upsertSql } from './base/change.ts'
import { type SqliteValue, statement } from './base/database.ts'
import { type Interner, internedTable, internerOf } from './base/interned.ts'
import { countSql, findSql, getSql, type Sql } from './base/query.ts'
import { columnOf, definitionsOf, type Selection, selectionOf, type Table, tableOf } from './base/table.ts'
import { decode, encode, encodeForSearch, encodeRow } from './base/values.ts'
import type { Sqlite } from './connection.ts'
import type { Asked, Step } from './procedures.ts'

/** Limits of one write, because longer writes would delay others. */
const rowsAtOnce = 250
const idsAtOnce = 1000
/** A statement with more sub-selects is cheaper to prepare again than to cache. */
const mostPartsKept = 16
const mostFound = 10_000

/** Shares the connection, which stays open after close(). */
export function sqliteDocuments(sqlite: Sqlite): Documents {
  const interner = internerOf(sqlite.read)
  return documentsOn(withDefinitions(sqlite, interner), interner, new Map())
}

type Used = Pick<Sqlite, 'read' | 'call'>

/** Stores new interned strings in the transaction of the first write that uses them. */
function withDefinitions({ read, call }: Used, interner: Interner): Used {
  return {
    read,
    async call(name, ...args) {
      const definitions = interner.pendingDefinitions()
      if (definitions.length === 0) return call(name, ...args)
      const result = await call('defining', definitions, name, args)
      interner.confirm(definitions)
      return result as never
    },
  }
}

function documentsOn(sqlite: Used, interner: Interner, tables: Map<string, Table>): Documents {
  const known = (collection: { name: string }): Table => {
    const table = tables.get(collection.name)
    assert(table, `${collection.name} is not declared`)
    return table
  }

  return {
    async declare(collections) {
      assertLayoutOf(sqlite)
      const made = collections.map((one) => tableOf(one, interner))
      const definitions = made.flatMap((table) => definitionsIn(sqlite, table))
      await sqlite.call('define', [internedTable, ...definitions, probeTable, `PRAGMA user_version = ${layout}`])
      for (const table of made) tables.set(table.name, table)
    },

    async insert(collection, document) {
      const table = known(collection)
      return (await insertRows(sqlite, table, [document])).length === 0
    },

    async insertMany(collection, documents) {
      const table = known(collection)
      return insertRows(sqlite, table, documents)
    },

    async get(collection, id, fields, condition) {
      const table = known(collection)
      const selection = selectionOf(table, fields)
      const key = encodeForSearch(table, columnOf(table, 'id'), id)
      const sql = getSql(table, selection, key, conditionsOf(collection, condition))
      return rowsOf(sqlite, table, selection, sql)[0] as never
    },

    async find(collection, query) {
      const table = known(collection)
      const { limit } = query
      assert(Number.isInteger(limit) && limit >= 1 && limit <= mostFound, `limit is 1 to ${mostFound}, not ${limit}`)
      const selection = selectionOf(table, query.fields)
      const plan = assertServed(collection, query)
      return rowsOf(sqlite, table, selection, findSql(table, plan, selection, limit)) as never
    },

    async count(collection, { where, upTo }) {
      const table = known(collection)
      assert(Number.isInteger(upTo) && upTo >= 1, `upTo is at least 1, not ${upTo}`)
      const sql = countSql(table, assertServed(collection, { where }), upTo)
      return sqlite.read((database) => statement(database, sql.text).get(...sql.values)?.[0] as number)
    },

    async update(collection, id, change, condition) {
      const table = known(collection)
      return (await changed(sqlite, updateSql(table, collection, id, change, condition))) > 0
    },

    async updateMany(collection, ids, change, condition) {
      const table = known(collection)
      const counts = await inChunks([...new Set(ids)], idsAtOnce, (some) => {
        return changed(sqlite, updateSql(table, collection, some, change, condition))
      })
      return sum(counts)
    },

    async updateEach(collection, updates) {
      const table = known(collection)
      const each = updates.map(({ id, change, condition }) => updateSql(table, collection, id, change, condition))
      await inChunks(each, rowsAtOnce, (some) => sqlite.call('runEach', askedOf(some.flat())))
    },

    async upsertIfNewer(collection, documents, version) {
      const table = known(collection)
      const sql = upsertSql(table, version)
      const rows = documents.map((document) => encodeRow(table, document))
      await inChunks(rows, rowsAtOnce, (some) => sqlite.call('runRows', sql, some))
    },

    async delete(collection, ids, condition) {
      const table = known(collection)
      const deleted = await inChunks([...new Set(ids)], idsAtOnce, (some) => {
        return changed(sqlite, deleteSql(table, collection, some, condition))
      })
      return sum(deleted)
    },

    async inOrder(ask) {
      const steps: Step[] = []
      const record = async (name: string, ...args: unknown[]) => {
        steps.push({ name, args } as unknown as Step)
        // no duplicates, or one changed row; the result is ignored
        return name === 'runRows' || name === 'insertRows' ? [] : 1
      }
      await oneByOne(documentsOn({ read: sqlite.read, call: record as Sqlite['call'] }, interner, tables), ask)
      // one write, so the file gets all of them or none
      await sqlite.call('inOrder', steps)
    },

    async health() {
      try {
        await sqlite.call('probe')
        sqlite.read((database) => statement(database, 'SELECT count(*) FROM documents_probe').get())
        return undefined
      } catch (error) {
        return faultIn('sqlite', error)
      }
    },

    async close() {},
  }
}

/** Returns the ids of duplicates. */
async function insertRows(sqlite: Used, table: Table, documents: readonly Document[]): Promise<string[]> {
  const sql = insertSql(table)
  const { sideTable } = table
  // encode all rows before the first write: a row that can't be stored is a bug, and then nothing may be written
  const rows = documents.map((document) => {
    return { id: document.id, row: { values: encodeRow(table, document), sideValue: sideValueIn(table, document) } }
  })
  const duplicates = await inChunks(rows, rowsAtOnce, async (some) => {
    const given = some.map(({ row }) => row)
    const unchanged = sideTable
      ? await sqlite.call('insertRows', sql, sideTable.insertSql, given)
      : await sqlite.call(
          'runRows',
          sql,
          given.map(({ values }) => values),
        )
    return unchanged.map((at) => (some[at] as (typeof some)[number]).id)
  })
  return duplicates.flat()
}

function sideValueIn(table: Table, document: Document): SqliteValue {
  const { sideTable } = table
  return sideTable ? encode(table, sideTable, (document as unknown as Record<string, unknown>)[sideTable.name]) : null
}

/** Runs the statements in one transaction. Returns how many rows the last one changed. */
function changed(sqlite: Used, asked: readonly Sql[]): Promise<number> {
  const [only, ...more] = asked as [Sql, ...Sql[]]
  return more.length === 0 ? sqlite.call('run', only.text, only.values) : sqlite.call('runEach', askedOf(asked))
}

const askedOf = (some: readonly Sql[]) => some.map(({ text, values }): Asked => [text, values])

const probeTable = 'CREATE TABLE IF NOT EXISTS documents_probe (room BLOB)'

/** Throws, before anything is written, if another version of Precedent wrote the file with other tables. */
function assertLayoutOf({ read }: Used): void {
  const asked = `SELECT user_version, EXISTS (SELECT 1 FROM sqlite_schema WHERE name = 'documents_symbols') FROM pragma_user_version`
  const [found, hasTables] = read((database) => statement(database, asked).get()) as [number, number]
  if (hasTables !== 0) assertLayout(found)
}

function definitionsIn(sqlite: Used, table: Table): string[] {
  const present = sqlite.read((database) =>
    statement(database, 'SELECT name FROM pragma_table_info(?)').all(table.name),
  )
  return definitionsOf(
    table,
    present.map(([name]) => name as string),
  )
}

function rowsOf(sqlite: Used, table: Table, { names, types }: Selection, sql: Sql): Record<string, unknown>[] {
  const rows = sqlite.read((database) => {
    if ((sql.parts ?? 1) <= mostPartsKept) return statement(database, sql.text).all(...sql.values)
    const once = database.prepare(sql.text)
    once.setReturnArrays(true)
    return once.all(...sql.values) as unknown[][]
  })
  return rows.map((row) => {
    const document: Record<string, unknown> = {}
    for (let at = 0; at < names.length; at++) {
      document[names[at] as string] = decode(table, types[at] as (typeof types)[number], row[at])
    }
    return document
  })
}

/** Starts all chunks at once. They run in order, in one transaction or more. */
function inChunks<T, R>(all: readonly T[], size: number, run: (some: readonly T[]) => Promise<R>): Promise<R[]> {
  const chunks: Promise<R>[] = []
  for (let at = 0; at < all.length; at += size) chunks.push(run(all.slice(at, at + size)))
  return Promise.all(chunks)
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}
