/** A collection as a table: a column a field, in the order declared, and what a field's value is in SQLite. */
import assert from 'node:assert/strict'
import type { Collection, Document, FieldType } from '../../ports/documents.ts'
import type { SqliteValue } from './database.ts'
import { decodeInstant, encodeInstant } from './instants.ts'
import type { Symbols } from './symbols.ts'

export interface Column {
  name: string
  type: FieldType
  /** The name, quoted. */
  quoted: string
}

export interface Table {
  name: string
  quoted: string
  columns: readonly Column[]
  /** The field that has a table of its own, so that a row which changes is small; undefined: there is none. */
  apart: Apart | undefined
  /** Of all fields. */
  names: readonly string[]
  byName: ReadonlyMap<string, Column>
  collection: Collection<Document>
  /** What is selected, by the list of fields that asks for it: most lists are constants, and asked for again and again. */
  selections: WeakMap<readonly string[], Selection>
  insertSql: string | undefined
  symbols: Symbols
}

/** Kept by id: rowids may change when the file is vacuumed. */
export interface Apart extends Column {
  /** The name of its table, quoted. */
  table: string
  insertSql: string
}

/** Columns as they are read. */
export interface Selection {
  names: readonly string[]
  types: readonly FieldType[]
  /** For SELECT, of a table that is called t. */
  text: string
  /** The row of an id, the one value. */
  byIdSql: string
}

const sqlTypes: Record<FieldType, string> = {
  string: 'TEXT',
  symbol: 'INTEGER',
  instant: 'INTEGER',
  json_symbol: 'INTEGER',
  integer: 'INTEGER',
  number: 'REAL',
  boolean: 'INTEGER',
  json: 'TEXT',
  json_apart: 'TEXT',
}

export function tableOf(collection: Collection<Document>, symbols: Symbols): Table {
  const fields = Object.entries<FieldType>(collection.fields).map(([name, type]) => ({
    name,
    type,
    quoted: quote(name),
  }))
  const byName = new Map(fields.map((column) => [column.name, column]))
  const [apart, ...more] = fields.filter(({ type }) => type === 'json_apart')
  assert(more.length === 0, `${collection.name}: one field at most is kept apart`)
  assert(fields[0]?.name === 'id', `${collection.name}: id comes first`)
  assert(byName.get('id')?.type === 'string', `${collection.name}: id is a string`)
  return {
    name: collection.name,
    quoted: quote(collection.name),
    columns: fields.filter((column) => column !== apart),
    apart: apart && apartOf(collection, apart),
    names: fields.map((column) => column.name),
    byName,
    collection,
    selections: new WeakMap(),
    insertSql: undefined,
    symbols,
  }
}

function apartOf({ name }: Collection<Document>, column: Column): Apart {
  const table = quote(`${name}_apart`)
  return { ...column, table, insertSql: `INSERT INTO ${table} (id, value) VALUES (?, ?)` }
}

/** Statements that make what is missing of the table; `present` are the columns that it has, none when there is no table. */
export function definitionsOf(table: Table, present: readonly string[]): string[] {
  const { collection, quoted, columns, apart } = table
  const made =
    present.length === 0
      ? [`CREATE TABLE ${quoted} (${columns.map(columnDefinition).join(', ')})`]
      : columns
          .filter((column) => !present.includes(column.name))
          .map((column) => `ALTER TABLE ${quoted} ADD COLUMN ${columnDefinition(column)}`)
  const index = (fields: readonly string[], unique: boolean) =>
    `CREATE ${unique ? 'UNIQUE ' : ''}INDEX IF NOT EXISTS ${indexName(table, fields, unique)} ON ${quoted} (${fields.map(quote).join(', ')})`
  return [
    ...made,
    ...(apart ? apartDefinitions(quoted, apart, present) : []),
    ...collection.unique.map((fields) => index(fields, true)),
    // the primary key serves what asks for the id alone
    ...collection.indexes.filter((fields) => fields.join() !== 'id').map((fields) => index(fields, false)),
  ]
}

function apartDefinitions(
  quoted: string,
  { name, quoted: column, table }: Apart,
  present: readonly string[],
): string[] {
  const made = `CREATE TABLE IF NOT EXISTS ${table} (id TEXT PRIMARY KEY NOT NULL, value TEXT NOT NULL)`
  if (!present.includes(name)) return [made]
  // a file of a version that had it in the row
  const moved = `INSERT OR IGNORE INTO ${table} SELECT "id", ${column} FROM ${quoted} WHERE ${column} IS NOT NULL`
  return [made, moved, `ALTER TABLE ${quoted} DROP COLUMN ${column}`]
}

function columnDefinition({ name, quoted, type }: Column): string {
  return name === 'id' ? `${quoted} TEXT PRIMARY KEY NOT NULL` : `${quoted} ${sqlTypes[type]}`
}

export function indexName(table: Table, fields: readonly string[], unique: boolean): string {
  return quote(`${table.name}${unique ? '_unique' : '_by'}_${fields.join('_')}`)
}

/** Of these fields in this order; of all where none are named. */
export function selectionOf(table: Table, fields: readonly string[] = table.names): Selection {
  const known = table.selections.get(fields)
  if (known) return known
  const columns = fields.map((field) => columnOf(table, field))
  const text = columns.map((column) => selected(table, column)).join(', ')
  const selection: Selection = {
    names: columns.map((column) => column.name),
    types: columns.map((column) => column.type),
    text,
    // made once: whoever polls asks nothing else
    byIdSql: `SELECT ${text} FROM ${table.quoted} t WHERE t."id" IS ?`,
  }
  table.selections.set(fields, selection)
  return selection
}

function selected({ apart }: Table, { name, quoted }: Column): string {
  if (name !== apart?.name) return `t.${quoted}`
  return `(SELECT a.value FROM ${apart.table} a WHERE a.id = t."id")`
}

export function columnOf(table: Table, field: string): Column {
  const column = table.byName.get(field)
  assert(column, `${table.name} has no field ${field}`)
  return column
}

/** All columns of a document in their order, and none for what is kept apart. Asserts that it has these fields and no others. */
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

/** A value that is looked for, as SQLite keeps it. Asserts that it is of the field's type. */
export function encodeSought(table: Table, column: Column, value: unknown): SqliteValue {
  return column.type === 'symbol' && typeof value === 'string'
    ? table.symbols.soughtNumberOf(encodeText(value))
    : encode(table, column, value)
}

/** A value as SQLite keeps it. Asserts that it is of the field's type. */
export function encode(table: Table, column: Column, value: unknown): SqliteValue {
  if (value === null) {
    assert(column.name !== 'id', `${table.name}.id is null`)
    return null
  }
  switch (column.type) {
    case 'string':
      if (typeof value === 'string') return encodeText(value)
      break
    case 'symbol':
      if (typeof value === 'string') return table.symbols.numberOf(encodeText(value))
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
    case 'json_apart':
      if (value !== undefined) return JSON.stringify(value)
      break
    case 'json_symbol':
      if (value !== undefined) return table.symbols.numberOf(encodeText(JSON.stringify(value)))
  }
  return assert.fail(`${table.name}.${column.name} is a ${column.type}, not ${typeof value} (absent is null)`)
}

export function decode({ symbols }: Table, type: FieldType, value: unknown): unknown {
  if (value === null) return null
  switch (type) {
    case 'string':
      return decodeText(value as string)
    case 'symbol':
      return decodeText(symbols.textOf(value as number))
    case 'instant':
      return decodeInstant(value as number)
    case 'json':
    case 'json_apart':
      return JSON.parse(value as string)
    case 'json_symbol':
      return JSON.parse(decodeText(symbols.textOf(value as number)))
    case 'boolean':
      return value === 1
    default:
      return value
  }
}

/** The engine's interface cuts a string at NUL; written so, none has one, and order and equality stay. */
function encodeText(text: string): string {
  if (!text.includes('\0') && !text.includes('\u0001')) return text
  return text.replaceAll('\u0001', '\u0001\u0002').replaceAll('\0', '\u0001\u0001')
}

function decodeText(text: string): string {
  if (!text.includes('\u0001')) return text
  return text.replaceAll('\u0001\u0001', '\0').replaceAll('\u0001\u0002', '\u0001')
}

function quote(name: string): string {
  assert(/^[a-z][a-z0-9_]*$/.test(name), `${name} is no name of a table or field`)
  return `"${name}"`
}
