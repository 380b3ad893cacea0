/** Opening search tables that another version of the service has left. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Database, statement } from '../../../src/adapters/sqlite/base/database.ts'
import { type InlineSqlite, openSqlite } from '../../../src/adapters/sqlite/connection.ts'
import { searchSchema } from '../../../src/adapters/sqlite/search/schema.ts'
import { vectorSchema } from '../../../src/adapters/sqlite/search/vectors.ts'
import { openSearchTables } from '../../../src/adapters/sqlite/search/version.ts'
import { sqliteSearch } from '../../../src/adapters/sqlite/search.ts'
import { inVersion } from '../../../src/ports/index-versions.ts'
import type { SearchEngine } from '../../../src/ports/search.ts'
import { documentOf, everyone, workspace } from '../../contracts/search.contract.ts'
import { equal } from '../../support/search-query.ts'

const schema = searchSchema + vectorSchema
const mark = { epoch: 'e', sequence: 7 }
let sqlite: InlineSqlite
let older: SearchEngine
beforeEach(async () => {
  sqlite = openSqlite({ path: ':memory:' })
  older = sqliteSearch(sqlite, 1)
  await older.create('live')
  await older.upsert('live', [documentOf('d', 'queue')])
  await older.refresh('live', workspace, mark)
})
afterEach(() => sqlite.close())

const change = (work: (db: Database) => unknown) => sqlite.write(work)
const columnsOf = (table: string) =>
  sqlite.read((db) => statement(db, 'SELECT name FROM pragma_table_info(?)').all(table).flat())
const found = async (engine: SearchEngine, index: string) =>
  (await engine.candidates(index, everyone, equal(['queue']), 10)).items.map(({ id }) => id)

describe('search tables of another version', () => {
  it('get the columns that they lack, and keep their rows', async () => {
    const wider = schema.replace(
      '    tags TEXT,\n',
      `    tags TEXT,\n    colour TEXT,\n    size INTEGER NOT NULL DEFAULT 3,\n`,
    )
    await change((db) => openSearchTables(db, wider))
    expect(columnsOf('search_documents')).toEqual(expect.arrayContaining(['colour', 'size', 'tags']))
    expect(sqlite.read((db) => statement(db, 'SELECT colour, size FROM search_documents').all())).toEqual([[null, 3]])
    expect(await found(older, 'live')).toEqual(['d'])
    // and the older version opens the wider tables
    await change((db) => openSearchTables(db))
    expect(columnsOf('search_documents')).toContain('colour')
    expect(await found(older, 'live')).toEqual(['d'])
  })

  it.each([
    ['a table is missing', 'DROP TABLE search_marks'],
    ['a column that cannot be added is missing', 'ALTER TABLE search_vectors DROP COLUMN scope'],
    [
      'the postings are made in another way',
      `DROP TABLE search_postings;
       CREATE VIRTUAL TABLE search_postings USING fts5 (tokens, content = '', tokenize = 'ascii')`,
    ],
  ])('are dropped if %s, and all indexes count as lost', async (_, sql) => {
    await change((db) => db.exec(`${sql}; CREATE TABLE search_other (row INTEGER)`))
    await change((db) => openSearchTables(db))
    expect(columnsOf('search_other')).toEqual([])
    expect(await older.versions('live')).toEqual([])
    expect(await older.watermark('live', workspace)).toBeUndefined()
    await older.create('live')
    await older.upsert('live', [documentOf('again', 'queue')])
    expect(await found(older, 'live')).toEqual(['again'])
  })

  it('of version 0.1.0 get their version into the names of the indexes', async () => {
    await change((db) =>
      db.exec(`
        UPDATE search_indexes SET name = 'live';
        CREATE TABLE search_version (version TEXT NOT NULL);
        INSERT INTO search_version VALUES ('${older.version}');
      `),
    )
    const engine = sqliteSearch(sqlite, 2)
    expect(await engine.versions('live')).toEqual([older.version])
    expect(await found(engine, inVersion('live', older.version))).toEqual(['d'])
    expect(await engine.watermark(inVersion('live', older.version), workspace)).toEqual(mark)
    expect(columnsOf('search_version')).toEqual([])
  })
})
