import { expect, it } from 'vitest'
import { statement } from '../../../src/adapters/sqlite/base/database.ts'
import { openSqlite } from '../../../src/adapters/sqlite/connection.ts'
import { format } from '../../../src/adapters/sqlite/search/schema.ts'
import { sqliteSearch } from '../../../src/adapters/sqlite/search.ts'
import { documentOf, workspace } from '../../contracts/search.contract.ts'
import { hashOf, staleVersion } from '../../support/fixed-texts.ts'
import { fixedDocuments } from '../fixed-documents.ts'

/**
 * The hash of the tables and their rows for each format. Add a line for a new format; never change one. (That of 2 was
 * taken again when the versions of indexes moved from a table of their own into the names.)
 */
const hashes: Readonly<Record<number, string>> = {
  1: 'a48f3fd00aa7df8e6093825ced1cc05fd7aff99bb09cec145bac238464ecff81',
  2: 'e945dba1d18d1e95d5cdd2051346c22504c150b8d4b66368cd6ecbec504c4eaf',
  3: 'f70af354a4fef2fcc6039ff07073805dcd9d54baa5594990313b0605f68ed033',
  4: 'f87b2eae65b24a34784cffcff18fa2288ccf9d6f9b3a9c1da38324a07cfa31c2',
  5: '3ccebbd1d0d6f31513e3b4d754ce0c7d80a3dacd17718005a9e5eea9c3e87d8b',
}

it('the format of the search tables is raised whenever the tables or their rows change', async () => {
  const sqlite = openSqlite({ path: ':memory:' })
  const search = sqliteSearch(sqlite, 1)
  await search.create('live')
  // enough documents for a mark
  const many = Array.from({ length: 70 }, (_, n) => documentOf(`d${n}`, 'store '.repeat(n + 1).trim()))
  await search.upsert('live', [...fixedDocuments(Float32Array.of(0.6, -0.8)), ...many])
  await search.refresh('live', workspace, { epoch: 'e', sequence: 70 })
  const stored = sqlite.read((db) => {
    const all = (sql: string) => statement(db, sql).all() as (string | null)[][]
    // the tables that FTS5 makes for the postings belong to FTS5; its vocabulary shows what they hold
    const tables = all(`SELECT name, sql FROM sqlite_schema WHERE type = 'table' AND name GLOB 'search_*'`).filter(
      ([name]) => !name?.startsWith('search_postings_'),
    )
    db.exec(`CREATE VIRTUAL TABLE temp.vocabulary USING fts5vocab(main, search_postings, 'instance')`)
    const rows = tables.map(([name]) => [name, name === 'search_postings' ? [] : all(`SELECT * FROM ${name}`)])
    const definitions = tables.map(([, sql]) => sql?.replace(/--.*/g, '').replace(/\s+/g, ' '))
    return [definitions, rows, all('SELECT term, doc FROM temp.vocabulary')].map((list) => list.map(hashOf).sort())
  })
  await sqlite.close()
  const hash = hashOf(stored)
  const stale = staleVersion('The search tables or their rows', 'format in src/adapters/sqlite/search/schema.ts')
  expect(hash, stale).toBe(hashes[format])
})
