import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openSqlite } from '../../../src/adapters/sqlite/connection.ts'
import { sqliteDocuments } from '../../../src/adapters/sqlite/documents.ts'
import { openThreadedSqlite } from '../../../src/adapters/sqlite/threaded.ts'
import { documentsContract } from '../../contracts/documents.contract.ts'
import { writerThread } from './writer-thread.ts'

documentsContract('SQLite', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'precedent-'))
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
      await rm(directory, { recursive: true })
    },
  }
})

documentsContract('SQLite with a thread that writes', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'precedent-'))
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
      await rm(directory, { recursive: true })
    },
  }
})

documentsContract('SQLite in memory', async () => {
  const sqlite = openSqlite({ path: ':memory:' })
  return { documents: sqliteDocuments(sqlite), close: () => sqlite.close() }
})
