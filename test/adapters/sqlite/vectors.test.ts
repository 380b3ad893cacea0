import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { openSqlite, type Sqlite } from '../../../src/adapters/sqlite/connection.ts'
import { sqliteSearch } from '../../../src/adapters/sqlite/search.ts'
import { openThreadedSqlite } from '../../../src/adapters/sqlite/threaded.ts'
import type { SearchEngine, SearchFilter } from '../../../src/ports/search.ts'
import { cosine } from '../../../src/text/space.ts'
import { documentOf, everyone, workspace } from '../../contracts/search.contract.ts'
import { embeddedOf, vectorOf, vectorsContract } from '../../contracts/vectors.contract.ts'
import { temporaryFolder } from '../../support/clean-up.ts'
import { hashedVector } from '../../support/hashed-vectors.ts'
import { writerThread } from './writer-thread.ts'

const closing: (() => Promise<void>)[] = []
afterAll(async () => {
  for (const close of closing.splice(0)) await close()
})

async function openOn(open: (path: string) => Promise<Sqlite>): Promise<SearchEngine & { sqlite: Sqlite }> {
  const directory = temporaryFolder('vectors-')
  const sqlite = await open(join(directory, 'store.db'))
  closing.push(async () => {
    await sqlite.close()
  })
  return { ...sqliteSearch(sqlite), sqlite }
}
const inline = () => openOn(async (path) => openSqlite({ path }))

vectorsContract('sqlite', inline)
vectorsContract('sqlite with a thread that writes', () =>
  openOn((path) => openThreadedSqlite({ path, module: writerThread })),
)

describe('vectors on SQLite', () => {
  it('vectors are kept if only the validity changes', async () => {
    const engine = await inline()
    await engine.create('live')
    await engine.upsert('live', [embeddedOf('d', 'car')])
    await engine.upsert('live', [documentOf('d', 'car', { version: 2, valid_to: '2025-01-01T00:00:00.000Z' })])
    expect(await engine.unembedded('live', workspace, 'words', ['d'])).toEqual([])
    expect(await engine.nearest('live', everyone, vectorOf('car'), [], 10)).toMatchObject([{ id: 'd', version: 2 }])
  })

  it('vectors leave nothing behind when their index is dropped', async () => {
    const engine = await inline()
    await engine.create('live')
    await engine.upsert('live', [embeddedOf('d', 'car'), embeddedOf('e', 'boat')])
    await engine.drop('live')
    for (const table of ['search_vectors', 'search_signs']) {
      expect(engine.sqlite.read((db) => db.prepare(`SELECT count(*) AS n FROM ${table}`).get())).toEqual({ n: 0 })
    }
  })

  it('nearest() finds the nearest that pass the filter, although it first selects by sign bits', async () => {
    const engine = await inline()
    await engine.create('live')
    const wide = (text: string) => ({ space: 'wide', values: hashedVector(text, 256) })
    const words = Array.from({ length: 60 }, (_, n) => `w${'abcdefghij'[n % 10]}${'klmnop'[Math.floor(n / 10)]}`)
    const many = Array.from({ length: 6_000 }, (_, n) => {
      const text = [n, n * 7 + 1, n * 13 + 2, n * 29 + 3].map((at) => words[at % words.length]).join(' ')
      const category = n % 50 === 0 ? 'rare' : null
      return { ...documentOf(`d${n}`, text, { category }), vector: wide(text) }
    })
    await engine.upsert('live', many)
    const question = wide(`${words[3]} ${words[22]} ${words[41]}`)
    const exact = (only: (n: number) => boolean) =>
      many
        .flatMap(({ vector }, n) => (only(n) ? [cosine(vector.values, question.values)] : []))
        .sort((x, y) => y - x)
        .slice(0, 10)
    const found = async (filter: Partial<SearchFilter> = {}) =>
      (await engine.nearest('live', { ...everyone, ...filter }, question, [], 10)).map((one) => one.cosine)
    const close = (one: number[], other: number[]) =>
      expect(one.map((value) => value.toFixed(3))).toEqual(other.map((value) => value.toFixed(3)))
    close(
      await found(),
      exact(() => true),
    )
    const rare = await found({ category: 'rare' })
    expect(rare[0]?.toFixed(3)).toBe(exact((n) => n % 50 === 0)[0]?.toFixed(3))
  })

  it('SQL statements can not load an extension', async () => {
    const engine = await inline()
    await engine.create('live')
    await engine.nearest('live', everyone, vectorOf('car'), [], 10)
    const load = () => engine.sqlite.read((db) => db.prepare("SELECT load_extension('x')").get())
    expect(load).toThrow(/not authorized|no such function/)
  })
})
