/** Promises of SQLite's file and writer beyond the contracts. */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { settings } from '../../../src/access/settings.ts'
import { type Database, statement } from '../../../src/adapters/sqlite/base/database.ts'
import { type InlineSqlite, openSqlite } from '../../../src/adapters/sqlite/connection.ts'
import { sqliteDocuments } from '../../../src/adapters/sqlite/documents.ts'
import { lockDirectory } from '../../../src/adapters/sqlite/lock.ts'

import { EngineUnavailable } from '../../../src/ports/unavailable.ts'
import { temporaryFolderOnDisk } from '../../support/clean-up.ts'

let directory: string
let path: string
let sqlite: InlineSqlite

beforeEach(async () => {
  directory = temporaryFolderOnDisk()
  path = join(directory, 'store.sqlite')
  sqlite = openSqlite({ path })
  await sqlite.write((database) => database.exec('CREATE TABLE t (id TEXT PRIMARY KEY, n INTEGER, text TEXT)'))
})
afterEach(async () => {
  await sqlite.close()
})

const put = (id: string, text = '') =>
  sqlite.write((database) => statement(database, 'INSERT INTO t VALUES (?, 1, ?)').run(id, text).changes)
const idsIn = (database: Database) => statement(database, 'SELECT id FROM t ORDER BY id').all().flat()
const kept = () => sqlite.read(idsIn)

describe('the writer', () => {
  it('commits all writes of a tick in one transaction, and shows none before it is durable', async () => {
    const other = openSqlite({ path })
    let inside: unknown
    const writes = [
      put('a'),
      sqlite.write((database) => {
        inside = idsIn(database)
        // another connection does not see the open transaction
        expect(other.read(idsIn)).toEqual([])
      }),
      put('b'),
    ]
    await writes[0]
    // the first resolves when the last is visible too, so they shared a transaction
    expect(other.read(idsIn)).toEqual(['a', 'b'])
    await Promise.all(writes)
    expect(inside).toEqual(['a'])
    await other.close()
  })

  it('rolls back a write that throws, and keeps the other writes of the tick', async () => {
    const half = sqlite.write((database) => {
      statement(database, 'INSERT INTO t VALUES (?, 1, NULL)').run('half')
      throw new Error('changed my mind')
    })
    const [first, second, third, fourth] = await Promise.allSettled([put('a'), half, put('a'), put('b')])
    expect(first).toEqual({ status: 'fulfilled', value: 1 })
    expect(second).toMatchObject({ status: 'rejected', reason: { message: 'changed my mind' } })
    expect(third).toMatchObject({ status: 'rejected', reason: { message: /UNIQUE/ } })
    expect(fourth).toEqual({ status: 'fulfilled', value: 1 })
    expect(kept()).toEqual(['a', 'b'])
  })

  it('finishes pending writes before it closes, and refuses later ones', async () => {
    const asked = put('a')
    await sqlite.close()
    expect(await asked).toBe(1)
    await expect(put('b')).rejects.toThrow(EngineUnavailable)
    expect(() => kept()).toThrow(EngineUnavailable)
    sqlite = openSqlite({ path })
    expect(kept()).toEqual(['a'])
  })
})

describe('a failing disk', () => {
  const long = 'x'.repeat(20_000)

  it('rejects every write of a tick while the disk is full, keeps none, and recovers', async () => {
    await put('before')
    sqlite.limitPages(20)
    const settled = await Promise.allSettled([
      put('small'),
      ...Array.from({ length: 20 }, (_, n) => put(`long-${n}`, long)),
    ])
    for (const one of settled) {
      expect(one).toMatchObject({ status: 'rejected', reason: { name: 'EngineUnavailable', engine: 'sqlite' } })
    }
    expect(String((settled[0] as PromiseRejectedResult).reason)).toContain('full')
    expect(kept()).toEqual(['before'])
    await expect(put('long', 'x'.repeat(200_000))).rejects.toThrow(EngineUnavailable)
    sqlite.limitPages(100_000)
    expect(await put('after', long)).toBe(1)
    expect(kept()).toEqual(['after', 'before'])
  })

  it('health reports a full disk only while it is full', async () => {
    const documents = sqliteDocuments(sqlite)
    await documents.declare([settings])
    expect(await documents.health()).toBeUndefined()
    await expect(fill()).rejects.toThrow(EngineUnavailable)
    expect((await documents.health())?.message).toMatch(/full/)
    sqlite.limitPages(100_000)
    expect(await documents.health()).toBeUndefined()
  })

  it('rejects writes while the file is read-only, still reads, and recovers', async ({ skip }) => {
    await put('before')
    const immutable = makeImmutable([path, `${path}-wal`])
    if (!immutable) return skip('an immutable file needs root and chattr')
    try {
      const documents = sqliteDocuments(sqlite)
      await expect(put('during')).rejects.toThrow(EngineUnavailable)
      expect((await documents.health())?.message).toMatch(/^sqlite: /)
      expect(kept()).toEqual(['before'])
    } finally {
      immutable.undo()
    }
    expect(await put('after')).toBe(1)
    expect(kept()).toEqual(['after', 'before'])
  })

  it('names the file that cannot be opened', () => {
    expect(() => openSqlite({ path: join(directory, 'none', 'store.sqlite') })).toThrow(/none.store\.sqlite/)
  })

  async function fill(): Promise<void> {
    sqlite.limitPages(60)
    for (let n = 0; n < 100; n++) await put(`fill-${n}`, long)
  }
})

describe('the lock of the data directory', () => {
  it('the lock of the data directory is held by one process at a time', () => {
    const lock = lockDirectory(join(directory, 'data'))
    expect(() => lockDirectory(join(directory, 'data'))).toThrow(/Another precedent process is using/)
    lock.release()
    lockDirectory(join(directory, 'data')).release()
  })

  it('the lock of the data directory is released if its process is killed', async () => {
    const holder = spawn(
      process.execPath,
      ['--input-type=module', '-e', holderScript, join(directory, 'lock.sqlite')],
      {
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    )
    await once(holder.stdout, 'data')
    expect(() => lockDirectory(directory)).toThrow(/Another precedent process is using/)
    holder.kill('SIGKILL')
    await once(holder, 'exit')
    lockDirectory(directory).release()
  })
})

/** Calls lockDirectory in another process. */
const holderScript = `
  import { DatabaseSync } from '@photostructure/sqlite'
  const database = new DatabaseSync(process.argv[1])
  database.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE')
  console.log('held')
  setInterval(() => database.isOpen, 1000)
`

/** Root ignores mode bits, but not this. undefined: this machine does not support it. */
function makeImmutable(files: string[]): { undo(): void } | undefined {
  const there = files.filter((file) => existsSync(file))
  const undo = () => void execFileSync('chattr', ['-i', ...there], { stdio: 'ignore' })
  try {
    execFileSync('chattr', ['+i', ...there], { stdio: 'ignore' })
    return { undo }
  } catch {
    return undefined
  }
}

it('a database in memory creates no file', async () => {
  const inMemory = openSqlite({ path: ':memory:' })
  await inMemory.write((database) => database.exec('CREATE TABLE t (id TEXT PRIMARY KEY)'))
  await inMemory.close()
  expect(existsSync(':memory:')).toBe(false)
})
