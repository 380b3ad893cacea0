import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openSqlite } from '../../../src/adapters/sqlite/connection.ts'
import { sqliteDocuments } from '../../../src/adapters/sqlite/documents.ts'
import { openThreadedSqlite } from '../../../src/adapters/sqlite/threaded.ts'
import { declared } from '../../contracts/documents/collections.ts'
import { documentsContract } from '../../contracts/documents.contract.ts'
import { temporaryFolder } from '../../support/clean-up.ts'
import { writerThread } from './writer-thread.ts'

documentsContract('SQLite', async () => {
  const directory = temporaryFolder('precedent-')
  const path = join(directory, 'store.sqlite')
  let sqlite = openSqlite({ path })
  return {
    documents: sqliteDocuments(sqlite),
    async reopen() {
      await sqlite.close()
      sqlite = openSqlite({ path })
      return sqliteDocuments(sqlite)
    },
    async close() {
      await sqlite.close()
    },
  }
})

documentsContract('SQLite with a thread that writes', async () => {
  const directory = temporaryFolder('precedent-')
  const options = { path: join(directory, 'store.sqlite'), module: writerThread }
  let sqlite = await openThreadedSqlite(options)
  return {
    documents: sqliteDocuments(sqlite),
    async reopen() {
      await sqlite.close()
      sqlite = await openThreadedSqlite(options)
      return sqliteDocuments(sqlite)
    },
    async close() {
      await sqlite.close()
    },
  }
})

documentsContract('SQLite in memory', async () => {
  const sqlite = openSqlite({ path: ':memory:' })
  return { documents: sqliteDocuments(sqlite), close: () => sqlite.close() }
})

describe('a file with tables of another version', () => {
  it('is refused before anything is written', async () => {
    const sqlite = openSqlite({ path: ':memory:' })
    const documents = sqliteDocuments(sqlite)
    await documents.declare(declared)
    await sqlite.write((database) => database.exec('DROP TABLE things; PRAGMA user_version = 0'))
    const opened = sqliteDocuments(sqlite).declare(declared)
    await expect(opened).rejects.toThrow('The store has layout 0, this version of Precedent knows layout 1. ')
    expect(
      sqlite.read((database) => database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'things'").all()),
    ).toEqual([])
    await sqlite.close()
  })
})
