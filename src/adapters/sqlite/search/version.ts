/**
 * Creates the tables of search documents. The indexes of all versions share these tables, and their names tell their
 * versions (ports/index-versions.ts). So a new format may only add columns, which are empty in the rows of older
 * indexes. Tables that differ in another way are dropped, so that their indexes count as lost and are rebuilt.
 */

import { DatabaseSync } from '@photostructure/sqlite'
import { inVersion } from '../../../ports/index-versions.ts'
import { closeDatabase, type Database, statement } from '../base/database.ts'
import { searchPrefix } from '../base/table.ts'
import { searchSchema } from './schema.ts'
import { vectorSchema } from './vectors.ts'

/** `schema`: the tables, which only tests set. */
export function openSearchTables(db: Database, schema = searchSchema + vectorSchema): void {
  const missing = missingColumns(db, schema)
  if (missing === 'other tables') {
    for (const { name } of tablesOf(db)) db.exec(`DROP TABLE ${name}`)
    db.exec(schema)
    return
  }
  for (const { table, column } of missing) db.exec(`ALTER TABLE ${table} ADD COLUMN ${column}`)
  nameVersions(db)
}

/**
 * Stores of version 0.1.0 have one version for all indexes, in a table of its own. That version drops all search tables
 * if it finds this one missing, so it can still open the store.
 */
function nameVersions(db: Database): void {
  if (!tablesOf(db).some(({ name }) => name === 'search_version')) return
  const version = statement(db, 'SELECT version FROM search_version').get()?.[0]
  if (typeof version === 'string') {
    statement(db, 'UPDATE search_indexes SET name = name || ? WHERE name IS NOT NULL').run(inVersion('', version))
  }
  db.exec('DROP TABLE search_version')
}

interface Column {
  name: string
  /** Its definition for ALTER TABLE; undefined: it can't be added to existing rows. */
  definition: string | undefined
}

interface Table {
  name: string
  /** The statement that made it, if it is a table of an extension. */
  virtual: string | undefined
  columns: Column[]
}

/** The columns to add to the tables. A newer version may have added others, which is no difference. */
function missingColumns(db: Database, schema: string): { table: string; column: string }[] | 'other tables' {
  const model = new DatabaseSync(':memory:')
  model.exec(schema)
  const wanted = tablesOf(model)
  closeDatabase(model)
  const present = new Map(tablesOf(db).map((table) => [table.name, table]))
  const missing: { table: string; column: string }[] = []
  for (const { name, virtual, columns } of wanted) {
    const there = present.get(name)
    if (there === undefined || there.virtual !== virtual) return 'other tables'
    for (const column of columns) {
      if (there.columns.some((one) => one.name === column.name)) continue
      if (column.definition === undefined) return 'other tables'
      missing.push({ table: name, column: column.definition })
    }
  }
  return missing
}

/** The tables of FTS5 itself (shadow tables) belong to the virtual one. */
function tablesOf(db: Database): Table[] {
  const tables = statement(
    db,
    `SELECT l.name, iif(l.type = 'virtual', s.sql, NULL) FROM pragma_table_list l JOIN sqlite_schema s ON s.name = l.name
     WHERE l.schema = 'main' AND l.type IN ('table', 'virtual') AND l.name GLOB ?`,
  ).all(`${searchPrefix}*`) as [string, string | null][]
  return tables.map(([name, virtual]) => ({ name, virtual: virtual ?? undefined, columns: columnsOf(db, name) }))
}

function columnsOf(db: Database, table: string): Column[] {
  const rows = statement(db, 'SELECT name, type, "notnull", dflt_value, pk FROM pragma_table_info(?)').all(table)
  return (rows as [string, string, number, string | null, number][]).map(([name, type, required, value, key]) => {
    if (key > 0 || (required > 0 && value === null)) return { name, definition: undefined }
    const given = value === null ? '' : ` DEFAULT ${value}`
    return { name, definition: `${name} ${type}${required > 0 ? ' NOT NULL' : ''}${given}` }
  })
}
