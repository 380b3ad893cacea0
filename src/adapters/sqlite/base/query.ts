/** SQL for find, count and conditions. */
import assert from 'node:assert/strict'
import type { Scalar } from '../../../ports/documents.ts'
import { type Condition, indexWithId, type Plan } from '../../../ports/plan.ts'
import type { SqliteValue } from './database.ts'
import { columnOf, indexName, type Selection, type Table } from './table.ts'
import { encodeForSearch } from './values.ts'

export interface Sql {
  text: string
  values: SqliteValue[]
  /** The number of sub-selects. A statement with many is not worth caching. */
  parts?: number
}

/** SQLite allows 500 sub-selects in a statement. */
const mostParts = 400

/** Selects fields of the rows that the plan finds, in its order. */
export function findSql(table: Table, plan: Plan, { text: chosen }: Selection, limit: number): Sql {
  const lists = listsOf(plan)
  if (lists.some((list) => list.values.length === 0)) return { text: `SELECT NULL LIMIT 0`, values: [] }
  if (plan.kind === 'id' || plan.sort.length === 0 || lists.length === 0) {
    const rows = rowsSql(table, plan)
    return {
      text: `SELECT ${chosen} ${rows.text}${orderBy(table, plan)} LIMIT ?`,
      values: [...rows.values, limit],
    }
  }
  const first = firstRowsSql(table, plan, lists, limit)
  return {
    ...first,
    text: `SELECT ${chosen} FROM ${table.quoted} t WHERE t.rowid IN (${first.text})${orderBy(table, plan)}`,
  }
}

export function countSql(table: Table, plan: Plan, upTo: number): Sql {
  if (listsOf(plan).some((list) => list.values.length === 0)) return { text: 'SELECT 0', values: [] }
  const rows = rowsSql(table, plan)
  return { text: `SELECT count(*) FROM (SELECT 1 ${rows.text} LIMIT ?)`, values: [...rows.values, upTo] }
}

/**
 * Conditions on rows that are found by their ids. Empty, or begins with AND. The plus keeps SQLite from using another
 * index.
 */
export function conditionSql(table: Table, conditions: readonly Condition[], of = '+'): Sql {
  const parts = conditions.map((condition) => {
    if (condition.type !== 'in') return comparison(table, condition, of)
    const name = `${of}${columnOf(table, condition.field).quoted}`
    const listed = `${name} IN (SELECT value FROM json_each(?))`
    const text = condition.values.includes(null) ? `(${listed} OR ${name} IS NULL)` : listed
    return { text, values: [listValue(table, condition.field, condition.values)] }
  })
  return { text: parts.map((part) => ` AND ${part.text}`).join(''), values: parts.flatMap((part) => part.values) }
}

/** Selects the row with this id if it meets the conditions, through an index with all of them if there is one. */
export function getSql(table: Table, selection: Selection, id: SqliteValue, conditions: readonly Condition[]): Sql {
  if (conditions.length === 0) return { text: selection.byIdSql, values: [id] }
  if (conditions.some((one) => one.type !== 'equal')) {
    const further = conditionSql(table, conditions, '+t.')
    return { text: selection.byIdSql + further.text, values: [id, ...further.values] }
  }
  const values = conditions.map((one) => comparison(table, one, '').values[0] as SqliteValue)
  return { text: byIdAnd(table, selection, conditions), values: [...values, id] }
}

/** Cached for each set of fields, because polls of receipts run the same query again and again. */
function byIdAnd(table: Table, selection: Selection, conditions: readonly Condition[]): string {
  const key = conditions.map(({ field }) => field).join()
  const known = selection.byIdAnd.get(key)
  if (known !== undefined) return known
  const index = indexWithId(table.collection, conditions)
  const indexed = index ? ` INDEXED BY ${indexName(table, index, false)}` : ''
  const fields = [...conditions.map(({ field }) => field), 'id']
  // the plus keeps SQLite from using another index than the one of the id
  const where = fields.map((field) => `${index || field === 'id' ? '' : '+'}t.${columnOf(table, field).quoted} IS ?`)
  const text = `SELECT ${selection.text} FROM ${table.quoted} t${indexed} WHERE ${where.join(' AND ')}`
  selection.byIdAnd.set(key, text)
  return text
}

/** A list as one JSON value, for json_each. */
export function listValue(table: Table, field: string, values: readonly Scalar[]): string {
  const column = columnOf(table, field)
  return JSON.stringify(
    values.map((value) => {
      const encoded = encodeForSearch(table, column, value)
      // lone surrogates, as SQLite stores them
      return typeof encoded === 'string' ? encoded.replace(/\p{Surrogate}/gu, '\ufffd') : encoded
    }),
  )
}

/**
 * FROM and WHERE. Lists are joined instead of using IN, so that each value, including null, is looked up in the index.
 */
function rowsSql(table: Table, plan: Plan): Sql {
  const leads = (one: Condition) => plan.kind !== 'id' || one.field === 'id'
  const lists = listsOf(plan).filter(leads)
  const sources = lists.map((_, at) => `json_each(?) l${at} CROSS JOIN `).join('')
  const joined = lists.map((list, at) => `t.${columnOf(table, list.field).quoted} IS l${at}.value`)
  const others = plan.conditions
    .filter((one) => one.type !== 'in' && leads(one))
    .map((one) => comparison(table, one, 't.'))
  const further = conditionSql(
    table,
    plan.conditions.filter((one) => !leads(one)),
    '+t.',
  )
  const where = [...joined, ...others.map((one) => one.text)].join(' AND ')
  return {
    text: `FROM ${sources}${table.quoted} t${indexedBy(table, plan)} WHERE ${where || 'TRUE'}${further.text}`,
    values: [
      ...lists.map((list) => listValue(table, list.field, list.values)),
      ...others.flatMap((one) => one.values),
      ...further.values,
    ],
  }
}

/**
 * The rowids of the first rows, if lists come before the sort in the index. The index is sorted within each combination
 * of list values. So this reads `limit` rows of each, and takes the first of all. It never sorts all matching rows.
 */
function firstRowsSql(table: Table, plan: Plan, lists: List[], limit: number): Sql {
  const combinations = lists.reduce((product, list) => product * list.values.length, 1)
  const keys = plan.sort.map(([field]) => columnOf(table, field).quoted)
  const others = plan.conditions.filter((one) => one.type !== 'in').map((one) => comparison(table, one, 's.'))
  const values = others.flatMap((one) => one.values)
  const sub = (equal: string[]) => {
    const where = [...equal, ...others.map((one) => one.text)].join(' AND ')
    return `SELECT s.rowid AS row, ${keys.map((key) => `s.${key}`).join(', ')} FROM ${table.quoted} s${indexedBy(table, plan)} WHERE ${where}${orderBy(table, plan, 's.')} LIMIT ?`
  }
  if (combinations > mostParts) return correlatedSql(table, plan, lists, sub, values, limit)

  const named = lists.map((list) => columnOf(table, list.field))
  const one = `SELECT * FROM (${sub(named.map((column) => `s.${column.quoted} IS ?`))})`
  const all = product(lists.map((list) => list.values)).flatMap((combination) => [
    ...combination.map((value, at) => encodeForSearch(table, named[at] as (typeof named)[number], value)),
    ...values,
    limit,
  ])
  return {
    text: `SELECT row FROM (${new Array(combinations).fill(one).join(' UNION ALL ')})${orderBy(table, plan, '')} LIMIT ?`,
    values: [...all, limit],
    parts: combinations,
  }
}

/**
 * For more combinations than a statement may have sub-selects: runs one sub-select for each row. Slower, because it
 * reads the rows.
 */
function correlatedSql(
  table: Table,
  plan: Plan,
  lists: List[],
  sub: (equal: string[]) => string,
  values: SqliteValue[],
  limit: number,
): Sql {
  const sources = lists.map((_, at) => `json_each(?) l${at} CROSS JOIN `).join('')
  const equal = lists.map((list, at) => `s.${columnOf(table, list.field).quoted} IS l${at}.value`)
  return {
    text: `SELECT t.rowid FROM ${sources}${table.quoted} t WHERE t.rowid IN (SELECT row FROM (${sub(equal)}))${orderBy(table, plan)} LIMIT ?`,
    values: [...lists.map((list) => listValue(table, list.field, list.values)), ...values, limit, limit],
  }
}

type List = Extract<Condition, { type: 'in' }>

function listsOf(plan: Plan): List[] {
  return plan.conditions.filter((one) => one.type === 'in')
}

function indexedBy(table: Table, plan: Plan): string {
  return plan.kind === 'id' ? '' : ` INDEXED BY ${indexName(table, plan.index, plan.kind === 'unique')}`
}

function orderBy(table: Table, plan: Plan, of = 't.'): string {
  if (plan.sort.length === 0) return ''
  const keys = plan.sort.map(([field, direction]) => `${of}${columnOf(table, field).quoted} ${direction.toUpperCase()}`)
  return ` ORDER BY ${keys.join(', ')}`
}

const comparators = { gt: '>', gte: '>=', lt: '<', lte: '<=' } as const

function comparison(table: Table, condition: Condition, of: string): Sql {
  assert(condition.type !== 'in')
  const column = columnOf(table, condition.field)
  const name = `${of}${column.quoted}`
  if (condition.type === 'equal')
    return { text: `${name} IS ?`, values: [encodeForSearch(table, column, condition.value)] }
  const bounds = Object.entries(condition.range) as [keyof typeof comparators, Scalar][]
  return {
    text: bounds.map(([bound]) => `${name} ${comparators[bound]} ?`).join(' AND '),
    values: bounds.map(([, value]) => encodeForSearch(table, column, value)),
  }
}

function product(lists: readonly (readonly Scalar[])[]): Scalar[][] {
  return lists.reduce<Scalar[][]>(
    (combinations, list) => combinations.flatMap((one) => list.map((value) => [...one, value])),
    [[]],
  )
}
