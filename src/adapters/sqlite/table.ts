/** A collection as a table: a column a field, in the order declared. */
import assert from 'node:assert/strict'
import type { AnyCollection, FieldType } from '../../ports/documents.ts'
import type { Interner } from './interned.ts'

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
  sideTable: SideTable | undefined
  /** Of all fields. */
  names: readonly string[]
  byName: ReadonlyMap<string, Column>
  collection: AnyCollection
  /** What is selected, by the list of fields that asks for it: most lists are constants, and asked for again and again. */
  selections: WeakMap<readonly string[], Selection>
  insertSql: string | undefined
  interner: Interner
}

/** Kept by id: rowids may change when the file is vacuumed. */
export interface SideTable extends Column {
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
  /** The same under conditions on these fields, by their names. */
  byIdAnd: Map<string, string>
}

const sqlTypes: Record<FieldType, string> = {
  string: 'TEXT',
  interned: 'INTEGER',
  instant: 'INTEGER',
  internedJson: 'INTEGER',
  integer: 'INTEGER',
  number: 'REAL',
  boolean: 'INTEGER',
  json: 'TEXT',
  sideTable: 'TEXT',
}

export function tableOf(collection: AnyCollection, interner: Interner): Table {
  const fields = Object.entries<FieldType>(collection.fields).map(([name, type]) => ({
    name,
    type,
    quoted: quote(name),
  }))
  const byName = new Map(fields.map((column) => [column.name, column]))
  const [sideTable, ...more] = fields.filter(({ type }) => type === 'sideTable')
  assert(more.length === 0, `${collection.name}: at most one field can be in a side table`)
  assert(fields[0]?.name === 'id', `${collection.name}: id comes first`)
  assert(byName.get('id')?.type === 'string', `${collection.name}: id is a string`)
  return {
    name: collection.name,
    quoted: quote(collection.name),
    columns: fields.filter((column) => column !== sideTable),
    sideTable: sideTable && sideTableOf(collection, sideTable),
    names: fields.map((column) => column.name),
    byName,
    collection,
    selections: new WeakMap(),
    insertSql: undefined,
    interner,
  }
}

function sideTableOf({ name }: AnyCollection, column: Column): SideTable {
  const table = quote(`${name}_apart`)
  return { ...column, table, insertSql: `INSERT INTO ${table} (id, value) VALUES (?, ?)` }
}

/** Statements that make what is missing of the table; `present` are the columns that it has, none when there is no table. */
export function definitionsOf(table: Table, present: readonly string[]): string[] {
  const { collection, quoted, columns, sideTable } = table
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
    ...(sideTable ? sideTableDefinitions(quoted, sideTable, present) : []),
    ...collection.unique.map((fields) => index(fields, true)),
    // the primary key serves what asks for the id alone
    ...collection.indexes.filter((fields) => fields.join() !== 'id').map((fields) => index(fields, false)),
  ]
}

function sideTableDefinitions(
  quoted: string,
  { name, quoted: column, table }: SideTable,
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
    byIdAnd: new Map(),
  }
  table.selections.set(fields, selection)
  return selection
}

function selected({ sideTable }: Table, { name, quoted }: Column): string {
  if (name !== sideTable?.name) return `t.${quoted}`
  return `(SELECT a.value FROM ${sideTable.table} a WHERE a.id = t."id")`
}

export function columnOf(table: Table, field: string): Column {
  const column = table.byName.get(field)
  assert(column, `${table.name} has no field ${field}`)
  return column
}

function quote(name: string): string {
  assert(/^[a-z][a-z0-9_]*$/.test(name), `${name} is no name of a table or field`)
  return `"${name}"`
}
