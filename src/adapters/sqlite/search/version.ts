/** Creates the tables of search documents, and drops those of another version. */

import { type Database, statement } from '../base/database.ts'
import { searchPrefix } from '../base/table.ts'
import { format, searchSchema } from './schema.ts'
import { vectorSchema } from './vectors.ts'

/** The stored version: that of the tables and that of the text analysis. */
export function versionOf(analysis: number): string {
  return `${format}.${analysis}`
}

/**
 * All indexes of the file have one version. Indexes of another version are dropped with their tables, so they count as
 * lost and are rebuilt (PROTOCOL 3.4). Dropping the tables takes about a second for each GB.
 */
export function openSearchTables(db: Database, version: string): void {
  db.exec('CREATE TABLE IF NOT EXISTS search_version (version TEXT NOT NULL)')
  const stored = statement(db, 'SELECT version FROM search_version').get()?.[0]
  if (stored === version) return
  for (const name of otherTables(db)) db.exec(`DROP TABLE ${name}`)
  db.exec(searchSchema + vectorSchema)
  statement(db, 'DELETE FROM search_version').run()
  statement(db, 'INSERT INTO search_version (version) VALUES (?)').run(version)
}

/** Another version may have other tables. The tables of FTS5 itself (shadow tables) are dropped with the virtual one. */
function otherTables(db: Database): string[] {
  const rows = statement(
    db,
    `SELECT name FROM pragma_table_list
     WHERE schema = 'main' AND type IN ('table', 'virtual') AND name GLOB ? AND name <> 'search_version'`,
  ).all(`${searchPrefix}*`)
  return rows.map(([name]) => name as string)
}
