/** Converts field values to SQLite values and back. */
import assert from 'node:assert/strict'
import type { Document, FieldType } from '../../../ports/documents.ts'
import type { SqliteValue } from './database.ts'
import { decodeInstant, encodeInstant } from './instants.ts'
import type { Column, Table } from './table.ts'

/**
 * The values of all columns in order, without the side table's. Asserts that the document has exactly the declared
 * fields.
 */
export function encodeRow(table: Table, document: Document): SqliteValue[] {
  const { columns } = table
  const values = new Array<SqliteValue>(columns.length)
  for (let at = 0; at < columns.length; at++) {
    const column = columns[at] as Column
    values[at] = encode(table, column, (document as unknown as Record<string, unknown>)[column.name])
  }
  const fields = Object.keys(document)
  if (fields.length !== table.names.length) {
    const stranger = fields.find((field) => !table.byName.has(field))
    assert.fail(`${table.name} has no field ${stranger}: it would be lost`)
  }
  for (const key of table.collection.unique) {
    for (const field of key) {
      const value = (document as unknown as Record<string, unknown>)[field]
      assert(value !== null, `${table.name}.${field} is part of a unique key: never null`)
    }
  }
  return values
}

/** Encodes a value to search for. Asserts its type. */
export function encodeForSearch(table: Table, column: Column, value: unknown): SqliteValue {
  return column.type === 'interned' && typeof value === 'string'
    ? table.interner.numberForSearch(encodeText(value))
    : encode(table, column, value)
}

/** Encodes a value to store. Asserts its type. */
export function encode(table: Table, column: Column, value: unknown): SqliteValue {
  if (value === null) {
    assert(column.name !== 'id', `${table.name}.id is null`)
    return null
  }
  switch (column.type) {
    case 'string':
      if (typeof value === 'string') return encodeText(value)
      break
    case 'interned':
      if (typeof value === 'string') return table.interner.numberOf(encodeText(value))
      break
    case 'instant':
      if (typeof value === 'string') return encodeInstant(value)
      break
    case 'integer':
      if (Number.isSafeInteger(value)) return value as number
      break
    case 'number':
      if (Number.isFinite(value)) return value as number
      break
    case 'boolean':
      if (typeof value === 'boolean') return value ? 1 : 0
      break
    case 'json':
    case 'sideTable':
      if (value !== undefined) return JSON.stringify(value)
      break
    case 'internedJson':
      if (value !== undefined) return table.interner.numberOf(encodeText(JSON.stringify(value)))
  }
  return assert.fail(`${table.name}.${column.name} is a ${column.type}, not ${typeof value} (absent is null)`)
}

export function decode({ interner }: Table, type: FieldType, value: unknown): unknown {
  if (value === null) return null
  switch (type) {
    case 'string':
      return decodeText(value as string)
    case 'interned':
      return decodeText(interner.textOf(value as number))
    case 'instant':
      return decodeInstant(value as number)
    case 'json':
    case 'sideTable':
      return JSON.parse(value as string)
    case 'internedJson':
      return JSON.parse(decodeText(interner.textOf(value as number)))
    case 'boolean':
      return value === 1
    default:
      return value
  }
}

/** The driver cuts strings at NUL, so NUL is escaped. Order and equality stay the same. */
function encodeText(text: string): string {
  if (!text.includes('\0') && !text.includes('\u0001')) return text
  return text.replaceAll('\u0001', '\u0001\u0002').replaceAll('\0', '\u0001\u0001')
}

function decodeText(text: string): string {
  if (!text.includes('\u0001')) return text
  return text.replaceAll('\u0001\u0001', '\0').replaceAll('\u0001\u0002', '\u0001')
}
