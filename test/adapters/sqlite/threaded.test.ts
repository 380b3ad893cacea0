/** Promises of the writer thread beyond the contracts. */
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Database, statement } from '../../../src/adapters/sqlite/base/database.ts'
import type { Sqlite } from '../../../src/adapters/sqlite/connection.ts'
import { openThreadedSqlite } from '../../../src/adapters/sqlite/threaded.ts'
import { EngineUnavailable } from '../../../src/ports/unavailable.ts'
import { temporaryFolder } from '../../support/clean-up.ts'
import { writerThread } from './writer-thread.ts'

let directory: string
let path: string
let sqlite: Sqlite

const open = () => openThreadedSqlite({ path, module: writerThread })
const put = (id: string, text = '') => sqlite.call('run', 'INSERT INTO t VALUES (?, ?)', [id, text])
const idsIn = (database: Database) => statement(database, 'SELECT id FROM t ORDER BY id').all().flat()

beforeEach(async () => {
  directory = temporaryFolder('precedent-')
  path = join(directory, 'store.sqlite')
  sqlite = await open()
  await sqlite.call('define', ['CREATE TABLE t (id TEXT PRIMARY KEY, text TEXT)'])
})
afterEach(async () => {
  await sqlite.close()
})

describe('the writer thread', () => {
  it('shows a write to every read that starts after it resolved', async () => {
    for (let n = 0; n < 200; n++) {
      await put(`id-${n}`)
      expect(sqlite.read((db) => statement(db, 'SELECT count(*) FROM t').get())).toEqual([n + 1])
    }
  })

  it('rejects only the invalid write of a tick, with its error', async () => {
    const [first, again, other] = await Promise.allSettled([put('a'), put('a'), put('b')])
    expect(first).toEqual({ status: 'fulfilled', value: 1 })
    expect(again).toMatchObject({ status: 'rejected', reason: { message: expect.stringMatching(/UNIQUE/) } })
    expect(other).toEqual({ status: 'fulfilled', value: 1 })
    expect(sqlite.read(idsIn)).toEqual(['a', 'b'])
  })

  it('rejects all writes as unavailable while the disk is full, and recovers', async () => {
    sqlite.limitPages(20)
    const settled = await Promise.allSettled(Array.from({ length: 20 }, (_, n) => put(`long-${n}`, 'x'.repeat(20_000))))
    for (const one of settled) {
      expect(one).toMatchObject({ status: 'rejected', reason: { name: 'EngineUnavailable', engine: 'sqlite' } })
    }
    sqlite.limitPages(100_000)
    expect(await put('after')).toBe(1)
    expect(sqlite.read(idsIn)).toEqual(['after'])
  })

  it('finishes pending writes before it closes, and refuses later ones', async () => {
    const asked = Promise.all([put('a'), put('b')])
    await sqlite.close()
    expect(await asked).toEqual([1, 1])
    await expect(put('c')).rejects.toThrow(EngineUnavailable)
    expect(() => sqlite.read(idsIn)).toThrow(EngineUnavailable)
    sqlite = await open()
    expect(sqlite.read(idsIn)).toEqual(['a', 'b'])
  })

  it('names the file that cannot be opened', async () => {
    const none = openThreadedSqlite({ path: join(directory, 'none', 'store.sqlite'), module: writerThread })
    await expect(none).rejects.toThrow(/^sqlite: cannot open .*none.store\.sqlite/)
  })
})
