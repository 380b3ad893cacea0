import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { statement } from '../../../src/adapters/sqlite/base/database.ts'
import { openSqlite, type Sqlite } from '../../../src/adapters/sqlite/connection.ts'
import { encode } from '../../../src/adapters/sqlite/search/schema.ts'
import { sqliteSearch } from '../../../src/adapters/sqlite/search.ts'
import { openThreadedSqlite } from '../../../src/adapters/sqlite/threaded.ts'
import type { WorkspaceId } from '../../../src/ids.ts'
import type { SearchDocument, SearchEngine, SearchFilter } from '../../../src/ports/search.ts'
import { EngineUnavailable } from '../../../src/ports/unavailable.ts'
import { idf, normOf, saturated } from '../../../src/text/matching.ts'
import { countsIn, placesText } from '../../../src/text/places.ts'
import { randomOf } from '../../bench/texts.ts'
import { documentOf, everyone, searchContract, workspace } from '../../contracts/search.contract.ts'
import { searchVersionsContract } from '../../contracts/search-versions.contract.ts'
import { temporaryFolder } from '../../support/clean-up.ts'
import { equal } from '../../support/search-query.ts'
import { writerThread } from './writer-thread.ts'

const opened: (() => Promise<void>)[] = []
const directories: string[] = []

type Opened = SearchEngine & { file: string }

async function openAt(path: string, opening?: Promise<Sqlite>): Promise<Opened> {
  const sqlite = await (opening ?? openSqlite({ path }))
  const engine = sqliteSearch(sqlite)
  const close = async () => {
    await engine.close()
    await sqlite.close()
  }
  opened.push(close)
  return { ...engine, close, file: path }
}

async function open(): Promise<Opened> {
  const directory = temporaryFolder('search-')
  directories.push(directory)
  return openAt(join(directory, 'store.db'))
}

async function openThreaded(): Promise<Opened> {
  const directory = temporaryFolder('search-')
  directories.push(directory)
  const path = join(directory, 'store.db')
  return openAt(path, openThreadedSqlite({ path, module: writerThread }))
}

searchContract('sqlite', open)
searchContract('sqlite with a thread that writes', openThreaded)

for (const [name, openFile] of [
  ['sqlite', async (path: string) => openSqlite({ path })],
  ['sqlite with a thread that writes', (path: string) => openThreadedSqlite({ path, module: writerThread })],
] as const) {
  searchVersionsContract(name, async () => {
    const directory = temporaryFolder('search-')
    const path = join(directory, 'store.db')
    return {
      async open(analysis) {
        const sqlite = await openFile(path)
        return { ...sqliteSearch(sqlite, analysis), close: () => sqlite.close() }
      },
      async stored() {
        const sqlite = openSqlite({ path })
        try {
          return sqlite.read((db) => statement(db, 'SELECT count(*) FROM search_documents').get()?.[0]) as number
        } finally {
          await sqlite.close()
        }
      },
      remove: async () => {},
    }
  })
}

describe('search on SQLite', () => {
  afterEach(async () => {
    for (const close of opened.splice(0)) await close()
    for (const directory of directories.splice(0)) rmSync(directory, { recursive: true, force: true })
  })

  it('keeps refreshed documents when it is reopened', async () => {
    const engine = await open()
    await engine.create('live')
    await engine.upsert('live', [documentOf('d', 'queue')])
    await engine.refresh('live', workspace, { epoch: 'e', sequence: 3 })
    await engine.close()
    const again = await openAt(engine.file)
    expect(await again.watermark('live', workspace)).toEqual({ epoch: 'e', sequence: 3 })
    expect((await again.candidates('live', everyone, equal(['queue']), 10)).items.map(({ id }) => id)).toEqual(['d'])
  })

  it('ranks and counts only documents that the caller sees, also above its caps', async () => {
    const engine = await open()
    const mine = manyDocuments(workspace)
    const theirs = manyDocuments('other' as WorkspaceId).map((document) => ({ ...document, id: `o${document.id}` }))
    await engine.create('mixed')
    await engine.create('alone')
    for (let n = 0; n < mine.length; n += 500) {
      await engine.upsert('mixed', theirs.slice(n, n + 300))
      await engine.upsert('mixed', mine.slice(n, n + 500))
      await engine.upsert('alone', mine.slice(n, n + 500))
    }
    const filters: Partial<SearchFilter>[] = [{}, { category: 'security' }, { as_of: mine[100]?.valid_from ?? '' }]
    for (const filter of filters) {
      for (const terms of [['common'], ['common', 'half', 'rare3'], ['half', 'third'], ['rare1', 'rare2']]) {
        const mixed = await engine.candidates('mixed', { ...everyone, ...filter }, equal(terms), 200)
        expect(mixed).toEqual(await engine.candidates('alone', { ...everyone, ...filter }, equal(terms), 200))
        expect(mixed.items.length, `${terms} ${JSON.stringify(filter)}`).toBeGreaterThan(0)
      }
    }
  })

  it('counts exactly below its cap and estimates beyond it', async () => {
    const engine = await open()
    await engine.create('live')
    await engine.upsert('live', manyDocuments(workspace))
    const { statistics } = await engine.candidates('live', everyone, equal(['common', 'half', 'third', 'rare1']), 10)
    const [common, half, third, rare] = statistics.document_frequencies as [number, number, number, number]
    expect(statistics.documents).toBe(documents)
    expect([third, rare]).toEqual([documents / 3, documents / 100])
    expect(Math.abs(common - documents)).toBeLessThan(documents * 0.03)
    expect(Math.abs(half - documents / 2)).toBeLessThan((documents / 2) * 0.03)
  })

  it('finds an old document with a common term through a rare term', async () => {
    const engine = await open()
    await engine.create('live')
    await engine.upsert('live', [documentOf('old', 'common needle'), ...manyDocuments(workspace)])
    const { items } = await engine.candidates('live', everyone, equal(['common', 'needle']), 5)
    expect(items[0]?.id).toBe('old')
  })

  it('orders the candidates by the exact BM25 of all terms, also if common terms are not read completely', async () => {
    const engine = await open()
    await engine.create('live')
    const random = randomOf(7)
    const terms = Array.from({ length: 12 }, (_, n) => `word${n}`)
    // the last terms are in most documents, and most often in the oldest ones
    const texts = Array.from({ length: 9_000 }, (_, at) => {
      const most = at < 2_000 ? 6 : 2
      const times = (n: number) => (random() < (n + 0.1) / 12 ? 1 + Math.floor(most * random()) : 0)
      return terms.flatMap((term, n) => Array.from({ length: times(n) }, () => term)).concat('other')
    })
    await engine.upsert(
      'live',
      texts.map((words, n) => documentOf(`d${n}`, words.join(' '))),
    )
    const { items, statistics } = await engine.candidates('live', everyone, equal(terms), 10)
    const average = statistics.length / statistics.documents
    const scoreOf = (words: readonly string[]) =>
      terms.reduce((sum, term, n) => {
        const frequency = words.filter((word) => word === term).length
        const gain = idf(statistics.document_frequencies[n] as number, statistics.documents)
        return sum + gain * saturated(frequency, normOf(words.length, average))
      }, 0)
    const best = texts.map(scoreOf).sort((a, b) => b - a)
    const found = items.map(({ id }) => scoreOf(texts[Number(id.slice(1))] as string[]))
    expect(found).toEqual([...found].sort((a, b) => b - a))
    expect(found[0]).toBe(best[0])
    expect(items.map(({ frequencies }) => frequencies)).toEqual(
      items.map(({ id }) => terms.map((term) => texts[Number(id.slice(1))]?.filter((word) => word === term).length)),
    )
  })

  it('puts documents that hold more of the frequent terms first, also if it reads the postings of only one', async () => {
    const engine = await open()
    await engine.create('live')
    // each search reads a part of the postings of the other terms
    const terms = ['first', 'second', 'third']
    const ids = async () => (await engine.candidates('live', everyone, equal(terms), 20)).items.map(({ id }) => id)
    // of 15,000 documents with the first term, which is the rarest, the oldest 10 hold all three
    const wordsOf = (n: number) => {
      if (n % 2 === 1) return n < 20 ? 'first second third' : 'first other'
      return n < 600 ? 'other' : 'second third'
    }
    const documents = Array.from({ length: 30_000 }, (_, n) => documentOf(`d${n}`, wordsOf(n)))
    await engine.upsert('live', documents)
    for (let search = 0; search < 6; search++) await ids()
    const all = Array.from({ length: 10 }, (_, n) => `d${19 - 2 * n}`)
    expect((await ids()).slice(0, 10)).toEqual(all)
    // as documents come and go
    await engine.upsert('live', [documentOf('new', 'first second third'), documentOf('d19', 'first', { version: 2 })])
    expect((await ids()).slice(0, 10)).toEqual(['new', ...all.slice(1)])
  })

  it('counts a frequent term again if documents were deleted since', async () => {
    const engine = await open()
    await engine.create('live')
    await engine.upsert('live', manyDocuments(workspace).slice(0, 1_200))
    const count = () => engine.frequencies('live', everyone, ['half', 'rare1'], 500)
    expect(await count()).toEqual([500, 12])
    const ids = Array.from({ length: 600 }, (_, n) => `d${2 * n}`)
    await engine.remove('live', workspace, ids.slice(0, 50), 10)
    expect(await count()).toEqual([500, 12])
    await engine.remove('live', workspace, ids.slice(50, 400), 10)
    expect(await count()).toEqual([200, 12])
  })

  it('keeps other writes of a transaction if an index is missing', async () => {
    for (const engine of [await open(), await openThreaded()]) {
      await engine.create('live')
      const missing = engine.upsert('gone', [documentOf('d', 'queue')])
      const there = engine.upsert('live', [documentOf('d', 'queue')])
      await expect(missing).rejects.toBeInstanceOf(EngineUnavailable)
      await there
      expect(await engine.count('live', workspace)).toBe(1)
    }
  })

  it('finishes a drop that was interrupted by the end of the process', async () => {
    const engine = await open()
    await engine.create('live')
    await engine.upsert('live', manyDocuments(workspace).slice(0, 1200))
    const dropping = engine.drop('live')
    await engine.close()
    await expect(dropping).rejects.toThrow()
    const again = await openAt(engine.file)
    await again.create('live')
    expect(await again.count('live', workspace)).toBe(0)
    await again.drop('nothing')
    const sqlite = openSqlite({ path: engine.file })
    const left = sqlite.read((db) =>
      ['search_documents', 'search_scopes', 'search_postings_docsize', 'search_marks'].map(
        (table) => db.prepare(`SELECT count(*) AS n FROM ${table}`).get()?.n,
      ),
    )
    await sqlite.close()
    expect(left).toEqual([0, 0, 0, 0])
  })

  it('needs hardly more room after all documents were replaced many times', async () => {
    const engine = await open()
    const sqlite = openSqlite({ path: engine.file })
    const held = () =>
      sqlite.read((db) => {
        const one = (sql: string) => db.prepare(sql).get()?.n as number
        const rows = one('SELECT count(*) AS n FROM search_documents')
        return [rows, one('SELECT sum(length(block)) AS n FROM search_postings_data')] as const
      })
    const ids = (round: number) => Array.from({ length: 2_000 }, (_, n) => `d${n}in${round}`)
    const show = (round: number) =>
      engine.upsert(
        'live',
        ids(round).map((id, n) => documentOf(id, `w${n % 900} v${n % 700} u${(n * 7) % 1_100}`, { version: round })),
      )
    await engine.create('live')
    await show(1)
    const [documentsBefore, postingsBefore] = held()
    for (let round = 2; round <= 15; round += 1) {
      await show(round)
      for (const some of [ids(round - 1).slice(0, 1_000), ids(round - 1).slice(1_000)]) {
        await engine.remove('live', workspace, some, round)
      }
    }
    const [documentsNow, postingsNow] = held()
    await sqlite.close()
    expect(documentsNow).toBe(documentsBefore)
    expect(postingsNow).toBeLessThan(1.5 * postingsBefore)
  })

  it('encodes different terms to different tokens', () => {
    const tokens = ['a', 'A', 'a=2', '=2', 'a b', 'a~20b', 'b"', '', 'ä', '#a', 'a#', '\u0000', '2']
    const encoded = tokens.map(encode)
    expect(new Set(encoded).size).toBe(tokens.length)
    const text = placesText([...encoded, ...encoded])
    for (const [n, term] of encoded.entries()) {
      if (term !== '') expect(countsIn(text, [term])).toEqual({ frequencies: [2], places: [[n, n + tokens.length]] })
    }
    expect(countsIn(text, [encode('c')])).toEqual({ frequencies: [0], places: [[]] })
  })
})

const documents = 12_000

function manyDocuments(of: WorkspaceId): SearchDocument[] {
  return Array.from({ length: documents }, (_, n) => {
    const words = `common${n % 2 === 0 ? ' half' : ''}${n % 3 === 0 ? ' third' : ''} rare${n % 100}`
    return documentOf(`d${n}`, words, {
      workspace: of,
      valid_from: new Date(Date.UTC(2024, 0, 1) + n * 60_000).toISOString(),
      category: n % 7 === 0 ? 'security' : 'product',
    })
  })
}
