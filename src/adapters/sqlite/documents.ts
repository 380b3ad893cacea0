/** The documents port on SQLite (src/ports/documents.ts). */
import assert from 'node:assert/strict'
import type { Collection, Document, Documents } from '../../ports/documents.ts'
import { neverAnswered } from '../../ports/in-order.ts'
import { assertServed } from '../../ports/plan.ts'
import { EngineUnavailable } from '../../ports/unavailable.ts'
import { deleteSql, insertSql, updateSql, upsertSql } from './change.ts'
import { type Database, type Sqlite, statement } from './connection.ts'
import { countSql, findSql, type Sql } from './query.ts'
import {
  columnOf,
  decode,
  definitionsOf,
  encode,
  encodeRow,
  type Selection,
  selectionOf,
  type Table,
  tableOf,
} from './table.ts'

/** Of one write: more would hold the others up. */
const rowsAtOnce = 250
const idsAtOnce = 1000
/** Statements of more sub-selects are cheaper to prepare again than to keep. */
const mostPartsKept = 16
const mostFound = 10_000

/** Shares the connection, and leaves it open on close. */
export function sqliteDocuments(sqlite: Sqlite): Documents {
  return documentsOn(sqlite, new Map())
}

function documentsOn(sqlite: Pick<Sqlite, 'read' | 'write'>, tables: Map<string, Table>): Documents {
  const known = (collection: { name: string }): Table => {
    const table = tables.get(collection.name)
    assert(table, `${collection.name} is not declared`)
    return table
  }

  return {
    async declare(collections) {
      const made = (collections as unknown as readonly Collection<Document>[]).map(tableOf)
      await sqlite.write((database) => {
        for (const table of made) define(database, table)
        database.exec(probeTable)
      })
      for (const table of made) tables.set(table.name, table)
    },

    async insert(collection, document) {
      const table = known(collection)
      const values = encodeRow(table, document)
      const sql = insertSql(table)
      return sqlite.write((database) => statement(database, sql).run(...values).changes > 0)
    },

    async insertMany(collection, documents) {
      const table = known(collection)
      const sql = insertSql(table)
      // all before the first is written: what cannot be stored is a mistake, and writes nothing
      const rows = documents.map((document) => ({ id: document.id, values: encodeRow(table, document) }))
      const duplicates = await inChunks(rows, rowsAtOnce, (some) =>
        sqlite.write((database) => {
          const insert = statement(database, sql)
          return some.filter(({ values }) => insert.run(...values).changes === 0)
        }),
      )
      return duplicates.flat().map((row) => row.id)
    },

    async get(collection, id, fields) {
      const table = known(collection)
      const selection = selectionOf(table, fields)
      const text = `SELECT ${selection.text} FROM ${table.quoted} t WHERE t."id" IS ?`
      const key = encode(table, columnOf(table, 'id'), id)
      return rowsOf(sqlite, selection, { text, values: [key] })[0] as never
    },

    async find(collection, query) {
      const table = known(collection)
      const { limit } = query
      assert(Number.isInteger(limit) && limit >= 1 && limit <= mostFound, `limit is 1 to ${mostFound}, not ${limit}`)
      const selection = selectionOf(table, query.fields)
      const plan = assertServed(collection, query)
      return rowsOf(sqlite, selection, findSql(table, plan, selection, limit)) as never
    },

    async count(collection, { where, upTo }) {
      const table = known(collection)
      assert(Number.isInteger(upTo) && upTo >= 1, `upTo is at least 1, not ${upTo}`)
      const sql = countSql(table, assertServed(collection, { where }), upTo)
      return sqlite.read((database) => statement(database, sql.text).get(...sql.values)?.[0] as number)
    },

    async update(collection, id, change, condition) {
      const table = known(collection)
      const { text, values } = updateSql(table, collection, id, change, condition)
      return sqlite.write((database) => statement(database, text).run(...values).changes > 0)
    },

    async updateMany(collection, ids, change, condition) {
      const table = known(collection)
      const changed = await inChunks([...new Set(ids)], idsAtOnce, (some) => {
        const { text, values } = updateSql(table, collection, some, change, condition)
        return sqlite.write((database) => statement(database, text).run(...values).changes)
      })
      return sum(changed)
    },

    async updateEach(collection, updates) {
      const table = known(collection)
      const each = updates.map(({ id, change, condition }) => updateSql(table, collection, id, change, condition))
      await inChunks(each, rowsAtOnce, (some) =>
        sqlite.write((database) => {
          for (const { text, values } of some) statement(database, text).run(...values)
        }),
      )
    },

    async upsertIfNewer(collection, documents, version) {
      const table = known(collection)
      const sql = upsertSql(table, version)
      const rows = documents.map((document) => encodeRow(table, document))
      await inChunks(rows, rowsAtOnce, (some) =>
        sqlite.write((database) => {
          const upsert = statement(database, sql)
          for (const values of some) upsert.run(...values)
        }),
      )
    },

    async delete(collection, ids, condition) {
      const table = known(collection)
      const deleted = await inChunks([...new Set(ids)], idsAtOnce, (some) => {
        const { text, values } = deleteSql(table, collection, some, condition)
        return sqlite.write((database) => statement(database, text).run(...values).changes)
      })
      return sum(deleted)
    },

    async inOrder(ask) {
      const asked: ((database: Database) => unknown)[] = []
      const write = (work: (database: Database) => unknown) => {
        asked.push(work)
        return neverAnswered()
      }
      ask(documentsOn({ read: sqlite.read, write }, tables))
      // one write: the file has all of them or none
      await sqlite.write((database) => {
        for (const work of asked) work(database)
      })
    },

    async health() {
      try {
        await sqlite.write(probe)
        sqlite.read((database) => statement(database, 'SELECT count(*) FROM documents_probe').get())
        return undefined
      } catch (error) {
        return error instanceof EngineUnavailable ? error.message : `sqlite: ${(error as Error).message}`
      }
    },

    async close() {},
  }
}

const probeTable = 'CREATE TABLE IF NOT EXISTS documents_probe (room BLOB)'

/** Takes room for some pages, and gives it back: a full disk shows. */
function probe(database: Database): void {
  statement(database, 'INSERT INTO documents_probe (room) VALUES (zeroblob(65536))').run()
  statement(database, 'DELETE FROM documents_probe').run()
}

function define(database: Database, table: Table): void {
  const present = database.prepare('SELECT name FROM pragma_table_info(?)').all(table.name) as { name: string }[]
  for (const definition of definitionsOf(
    table,
    present.map((column) => column.name),
  )) {
    database.exec(definition)
  }
}

function rowsOf(sqlite: Pick<Sqlite, 'read'>, { names, types }: Selection, sql: Sql): Record<string, unknown>[] {
  const rows = sqlite.read((database) => {
    if ((sql.parts ?? 1) <= mostPartsKept) return statement(database, sql.text).all(...sql.values)
    const once = database.prepare(sql.text)
    once.setReturnArrays(true)
    return once.all(...sql.values) as unknown[][]
  })
  return rows.map((row) => {
    const document: Record<string, unknown> = {}
    for (let at = 0; at < names.length; at++) {
      document[names[at] as string] = decode(types[at] as (typeof types)[number], row[at])
    }
    return document
  })
}

/** All at once: they follow each other in one transaction, or in as many as they need. */
function inChunks<T, R>(all: readonly T[], size: number, run: (some: readonly T[]) => Promise<R>): Promise<R[]> {
  const chunks: Promise<R>[] = []
  for (let at = 0; at < all.length; at += size) chunks.push(run(all.slice(at, at + size)))
  return Promise.all(chunks)
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}
