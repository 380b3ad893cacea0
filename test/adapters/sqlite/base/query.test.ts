/** Declared queries use an index, and sort no more rows than they return. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { keys } from '../../../../src/access/keys.ts'
import { internerOf } from '../../../../src/adapters/sqlite/base/interned.ts'
import { findSql } from '../../../../src/adapters/sqlite/base/query.ts'
import { selectionOf, tableOf } from '../../../../src/adapters/sqlite/base/table.ts'
import { openSqlite, type Sqlite } from '../../../../src/adapters/sqlite/connection.ts'
import { sqliteDocuments } from '../../../../src/adapters/sqlite/documents.ts'
import { collections } from '../../../../src/collections.ts'
import { checkpoints } from '../../../../src/journal/checkpoint.ts'
import { entries } from '../../../../src/journal/entry.ts'
import type { Collection, Document, FieldType, Scalar } from '../../../../src/ports/documents.ts'
import { assertServed } from '../../../../src/ports/plan.ts'
import { receipts } from '../../../../src/receipt.ts'
import { links } from '../../../../src/records/link.ts'
import { records } from '../../../../src/records/record.ts'

let sqlite: Sqlite

beforeAll(async () => {
  sqlite = openSqlite({ path: ':memory:' })
  await sqliteDocuments(sqlite).declare(collections)
})
afterAll(() => sqlite.close())

interface Step {
  id: number
  parent: number
  detail: string
}

type Row = Document & Record<string, Scalar>
type Condition = Scalar | { in: Scalar[] } | { gt: Scalar }

const values: Record<FieldType, [Scalar, Scalar]> = {
  string: ['a', 'b'],
  integer: [1, 2],
  number: [0.5, 1.5],
  boolean: [true, false],
  json: [null, null],
  interned: ['a', 'b'],
  instant: ['2026-01-01T00:00:00.000Z', '2026-01-02T00:00:00.000Z'],
  internedJson: [null, null],
  sideTable: [null, null],
}

/** For each index, all kinds of queries that it serves: equalities or lists, then a range, then the sort. */
function* queriesOf(collection: Collection<Row>) {
  for (const index of [['id'], ...collection.unique, ...collection.indexes]) {
    for (let pinned = 0; pinned <= index.length; pinned++) {
      for (const listed of [false, true]) {
        for (const ranged of [false, true]) {
          for (const direction of ['asc', 'desc', undefined] as const) {
            if (ranged && pinned === index.length) continue
            const where: Record<string, Condition> = {}
            for (const [at, field] of index.slice(0, pinned).entries()) {
              const [one, other] = values[collection.fields[field] as FieldType]
              where[field] = listed && at > 0 ? { in: [one, other] } : one
            }
            const next = index[pinned]
            if (ranged && next !== undefined) where[next] = { gt: values[collection.fields[next] as FieldType][0] }
            const sort = direction ? index.slice(pinned).map((field) => [field, direction] as const) : []
            yield { where, sort, limit: 50 }
          }
        }
      }
    }
  }
}

function stepsOf(
  collection: Collection<Row>,
  query: { where: object; sort: readonly (readonly [string, 'asc' | 'desc'])[] },
) {
  const table = tableOf(collection as unknown as Collection<Document>, internerOf(sqlite.read))
  const fields = Object.keys(collection.fields)
  const { text, values } = findSql(table, assertServed(collection, query as never), selectionOf(table, fields), 50)
  return sqlite.read((database) => database.prepare(`EXPLAIN QUERY PLAN ${text}`).all(...values) as Step[])
}

/** Whether a limit bounds the rows before this sort step. */
function sortsFew(step: Step, steps: Step[]): boolean {
  const beside = steps.filter((one) => one.parent === step.parent && one.id < step.id)
  return (
    beside.some((one) => /LIST SUBQUERY|CO-ROUTINE/.test(one.detail)) ||
    beside.every((one) => one.detail.includes('(id=?)'))
  )
}

describe('queries served by a declared index', () => {
  for (const collection of [records, receipts, entries, links, checkpoints, keys] as unknown as Collection<Row>[]) {
    it(`a query of ${collection.name} searches the index that serves it, and sorts no unbounded rows`, () => {
      let asked = 0
      for (const query of queriesOf(collection)) {
        const steps = stepsOf(collection, query)
        const context = `${JSON.stringify(query)}\n${steps.map((step) => step.detail).join('\n')}`
        const everything = Object.keys(query.where).length === 0
        for (const { detail } of steps) {
          // a query without conditions reads the index in order, up to the limit
          if (/^SCAN [ts]\b/.test(detail)) expect(everything, context).toBe(true)
          if (detail.includes('AUTOMATIC')) expect.fail(context)
        }
        for (const step of steps.filter((one) => one.detail.includes('USE TEMP B-TREE'))) {
          expect(sortsFew(step, steps), context).toBe(true)
        }
        asked++
      }
      expect(asked).toBeGreaterThan(5)
    })
  }
})

it('a query by id looks up the id even if there are other conditions', () => {
  const where = { id: { in: ['a', 'b'] }, workspace: 'w', open: 1, lane: { in: ['import'] } }
  const steps = stepsOf(receipts as unknown as Collection<Row>, { where, sort: [['accepted_at', 'desc']] })
  const searched = steps.filter((step) => /^SEARCH t\b/.test(step.detail)).map((step) => step.detail)
  expect(searched).toEqual([expect.stringContaining('(id=?)')])
})
