/** insert, upsert, update and delete as SQL. */
import assert from 'node:assert/strict'
import type { Change, Collection, Document, Where } from '../../../ports/documents.ts'
import { conditionsOf } from '../../../ports/plan.ts'
import type { SqliteValue } from './database.ts'
import { conditionSql, listValue, type Sql } from './query.ts'
import { columnOf, type Table } from './table.ts'
import { encode, encodeForSearch } from './values.ts'

export function insertSql(table: Table): string {
  table.insertSql ??= insertText(table)
  return table.insertSql
}

function insertText({ quoted, columns }: Table): string {
  const names = columns.map((column) => column.quoted).join(', ')
  // unlike INSERT OR IGNORE, this reports violations of other constraints
  return `INSERT INTO ${quoted} (${names}) VALUES (${columns.map(() => '?').join(', ')}) ON CONFLICT DO NOTHING`
}

export function upsertSql({ quoted, columns, byName, name, sideTable }: Table, version: string): string {
  assert(!sideTable, `${name}: no upsert where a field is in a side table`)
  const by = byName.get(version)
  assert(by, `${name} has no field ${version}`)
  const names = columns.map((column) => column.quoted).join(', ')
  const set = columns
    .filter((column) => column.name !== 'id')
    .map(({ quoted: field }) => `${field} = excluded.${field}`)
  return `INSERT INTO ${quoted} (${names}) VALUES (${columns.map(() => '?').join(', ')})
    ON CONFLICT ("id") DO UPDATE SET ${set.join(', ')} WHERE ${quoted}.${by.quoted} < excluded.${by.quoted}`
}

/** Updates the rows with these ids that meet the condition. The last statement's number of changes is the result. */
export function updateSql<T extends Document>(
  table: Table,
  collection: Collection<T>,
  ids: string | readonly string[],
  change: Change<T>,
  condition: Where<T> | undefined,
): Sql[] {
  const where = whereSql(table, collection, ids, condition)
  const set = setSql(table, change)
  const update = {
    text: `UPDATE ${table.quoted} SET ${set.text} ${where.text}`,
    values: [...set.values, ...where.values],
  }
  // before the update, because the condition may not hold afterwards
  return isDropped(table, change) ? [...dropSql(table, where), update] : [update]
}

/** The last statement's number of changes is the result. */
export function deleteSql<T extends Document>(
  table: Table,
  collection: Collection<T>,
  ids: readonly string[],
  condition: Where<T> | undefined,
): Sql[] {
  const where = whereSql(table, collection, ids, condition)
  return [...dropSql(table, where), { text: `DELETE FROM ${table.quoted} ${where.text}`, values: where.values }]
}

/** Deletes the values in the side table for the rows that meet the condition. */
function dropSql({ sideTable, quoted }: Table, where: Sql): Sql[] {
  if (!sideTable) return []
  const text = `DELETE FROM ${sideTable.table} WHERE id IN (SELECT "id" FROM ${quoted} ${where.text})`
  return [{ text, values: where.values }]
}

function isDropped<T>({ sideTable, name }: Table, { set = {} }: Change<T>): boolean {
  if (!sideTable || !(sideTable.name in set)) return false
  assert(
    (set as Record<string, unknown>)[sideTable.name] === null,
    `${name}.${sideTable.name} can only be set at insert, and dropped later`,
  )
  return true
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
      values: [encodeForSearch(table, columnOf(table, 'id'), ids), ...only.values],
    }
  }
  const listed = 'WHERE "id" IN (SELECT value FROM json_each(?))'
  return { text: `${listed}${only.text}`, values: [listValue(table, 'id', ids), ...only.values] }
}

function setSql<T>(table: Table, { set = {}, inc = {} }: Change<T>): Sql {
  const parts: string[] = []
  const values: SqliteValue[] = []
  for (const [field, value] of Object.entries(set)) {
    if (field === table.sideTable?.name) continue
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
  assert(parts.length > 0, `${table.name}: a change must set a field outside of the side table`)
  return { text: parts.join(', '), values }
}
