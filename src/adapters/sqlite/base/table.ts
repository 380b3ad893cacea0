/** The table of a collection, with one column for each field in the order of declaration. */
import assert from 'node:assert/strict'
import type { AnyCollection, FieldType } from '../../../ports/documents.ts'
import type { Interner } from './interned.ts'

/** No collection of documents may have a name that begins with it. */
export const searchPrefix = 'search_'

export interface Column {
  name: string
  type: FieldType
  /** The quoted name. */
  quoted: string
}

export interface Table {
  name: string
  quoted: string
  columns: readonly Column[]
  /** The field that is stored in a side table, so that a changing row stays small; undefined: none. */
  sideTable: SideTable | undefined
  /** The names of all fields. */
  names: readonly string[]
  byName: ReadonlyMap<string, Column>
  collection: AnyCollection
  /** Cached by the list of fields, because most lists are constants that are used again and again. */
  selections: WeakMap<readonly string[], Selection>
  insertSql: string | undefined
  interner: Interner
}

/** The key is the id, because rowids may change when the file is vacuumed. */
export interface SideTable extends Column {
  /** The quoted name of the side table. */
  table: string
  insertSql: string
}

/** The columns of a query. */
export interface Selection {
  names: readonly string[]
  types: readonly FieldType[]
  /** The columns for SELECT. The table has the alias t. */
  text: string
  /** Selects by id. The only parameter is the id. */
  byIdSql: string
  /** Selects by id and conditions, keyed by the fields of the conditions. */
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
  // it would be dropped with the search tables of another version
  assert(!collection.name.startsWith(searchPrefix), `${collection.name} begins with ${searchPrefix}`)
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

/**
 * Statements that create missing parts of the table. `present`: its existing columns; empty if the table does not
 * exist.
 */
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
    ...(sideTable
      ? [`CREATE TABLE IF NOT EXISTS ${sideTable.table} (id TEXT PRIMARY KEY NOT NULL, value TEXT NOT NULL)`]
      : []),
    ...collection.unique.map((fields) => index(fields, true)),
    // the primary key serves queries by id alone
    ...collection.indexes.filter((fields) => fields.join() !== 'id').map((fields) => index(fields, false)),
  ]
}

function columnDefinition({ name, quoted, type }: Column): string {
  return name === 'id' ? `${quoted} TEXT PRIMARY KEY NOT NULL` : `${quoted} ${sqlTypes[type]}`
}

export function indexName(table: Table, fields: readonly string[], unique: boolean): string {
  return quote(`${table.name}${unique ? '_unique' : '_by'}_${fields.join('_')}`)
}

/** Selects these fields in this order; if left out, all fields. */
export function selectionOf(table: Table, fields: readonly string[] = table.names): Selection {
  const known = table.selections.get(fields)
  if (known) return known
  const columns = fields.map((field) => columnOf(table, field))
  const text = columns.map((column) => selected(table, column)).join(', ')
  const selection: Selection = {
    names: columns.map((column) => column.name),
    types: columns.map((column) => column.type),
    text,
    // cached, because polling runs only this query
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
