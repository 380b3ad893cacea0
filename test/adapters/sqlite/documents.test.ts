import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openSqlite } from '../../../src/adapters/sqlite/connection.ts'
import { sqliteDocuments } from '../../../src/adapters/sqlite/documents.ts'
import { openThreadedSqlite } from '../../../src/adapters/sqlite/threaded.ts'
import type { Collection } from '../../../src/ports/documents.ts'
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

describe('a file of a version without side tables', () => {
  it('keeps the values when they move to the side table', async () => {
    const inRow: Collection<Parcel> = {
      name: 'parcels',
      fields: { id: 'string', content: 'json', size: 'integer' },
      unique: [],
      indexes: [],
    }
    const sqlite = openSqlite({ path: ':memory:' })
    const before = sqliteDocuments(sqlite)
    await before.declare([inRow as never])
    const kept = [
      { id: 'a', content: { some: 'thing' }, size: 1 },
      { id: 'b', content: null, size: 2 },
    ]
    await before.insertMany(inRow, kept)
    const apart: Collection<Parcel> = { ...inRow, fields: { ...inRow.fields, content: 'sideTable' } }
    for (let start = 0; start < 2; start++) {
      const after = sqliteDocuments(sqlite)
      await after.declare([apart as never])
      expect(await after.find(apart, { where: { id: { in: ['a', 'b'] } }, limit: 9 })).toEqual(kept)
    }
    await sqlite.close()
  })
})

interface Parcel {
  id: string
  content: unknown
  size: number
}
