/** insert, upsert, update and delete as SQL. */
import assert from 'node:assert/strict'
import type { Change, Collection, Document, Where } from '../../ports/documents.ts'
import { conditionsOf } from '../../ports/plan.ts'
import type { SqliteValue } from './database.ts'
import { conditionSql, listValue, type Sql } from './query.ts'
import { columnOf, encode, encodeSought, type Table } from './table.ts'

export function insertSql(table: Table): string {
  table.insertSql ??= insertText(table)
  return table.insertSql
}

function insertText({ quoted, columns }: Table): string {
  const names = columns.map((column) => column.quoted).join(', ')
  // says nothing of another constraint, as INSERT OR IGNORE would
  return `INSERT INTO ${quoted} (${names}) VALUES (${columns.map(() => '?').join(', ')}) ON CONFLICT DO NOTHING`
}

export function upsertSql({ quoted, columns, byName, name }: Table, version: string): string {
  const by = byName.get(version)
  assert(by, `${name} has no field ${version}`)
  const names = columns.map((column) => column.quoted).join(', ')
  const set = columns
    .filter((column) => column.name !== 'id')
    .map(({ quoted: field }) => `${field} = excluded.${field}`)
  return `INSERT INTO ${quoted} (${names}) VALUES (${columns.map(() => '?').join(', ')})
    ON CONFLICT ("id") DO UPDATE SET ${set.join(', ')} WHERE ${quoted}.${by.quoted} < excluded.${by.quoted}`
}

/** Of one id or of many; `ids` pin the rows, whatever the condition is on. */
export function updateSql<T extends Document>(
  table: Table,
  collection: Collection<T>,
  ids: string | readonly string[],
  change: Change<T>,
  condition: Where<T> | undefined,
): Sql {
  const set = setSql(table, change)
  const where = whereSql(table, collection, ids, condition)
  return { text: `UPDATE ${table.quoted} SET ${set.text} ${where.text}`, values: [...set.values, ...where.values] }
}

export function deleteSql<T extends Document>(
  table: Table,
  collection: Collection<T>,
  ids: readonly string[],
  condition: Where<T> | undefined,
): Sql {
  const where = whereSql(table, collection, ids, condition)
  return { text: `DELETE FROM ${table.quoted} ${where.text}`, values: where.values }
}

function whereSql<T extends Document>(
  table: Table,
  collection: Collection<T>,
  ids: string | readonly string[],
  condition: Where<T> | undefined,
): Sql {
  const only = conditionSql(table, conditionsOf(collection, condition))
  if (typeof ids === 'string') {
    return {
      text: `WHERE "id" = ?${only.text}`,
      values: [encodeSought(table, columnOf(table, 'id'), ids), ...only.values],
    }
  }
  const listed = 'WHERE "id" IN (SELECT value FROM json_each(?))'
  return { text: `${listed}${only.text}`, values: [listValue(table, 'id', ids), ...only.values] }
}

function setSql<T>(table: Table, { set = {}, inc = {} }: Change<T>): Sql {
  const parts: string[] = []
  const values: SqliteValue[] = []
  for (const [field, value] of Object.entries(set)) {
    const column = columnOf(table, field)
    assert(field !== 'id', `${table.name}: an id never changes`)
    parts.push(`${column.quoted} = ?`)
    values.push(encode(table, column, value))
  }
  for (const [field, by] of Object.entries(inc)) {
    const column = columnOf(table, field)
    assert(column.type === 'integer' && !(field in set), `${table.name}.${field} cannot be added to`)
    parts.push(`${column.quoted} = ${column.quoted} + ?`)
    values.push(encode(table, column, by))
  }
  assert(parts.length > 0, `${table.name}: a change that changes nothing`)
  return { text: parts.join(', '), values }
}
