/** Searches of many callers give way to other requests, because they read in the thread that serves. */
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openSqlite, type Sqlite } from '../../../src/adapters/sqlite/connection.ts'
import { sqliteSearch } from '../../../src/adapters/sqlite/search.ts'
import type { SearchDocument, SearchEngine } from '../../../src/ports/search.ts'
import { spellingsOf } from '../../../src/text/alternatives.ts'
import { documentOf, everyone } from '../../contracts/search.contract.ts'
import { heldBy } from '../../support/blocked-thread.ts'
import { temporaryFolder } from '../../support/clean-up.ts'
import { equal } from '../../support/search-query.ts'

/** ms of processor time that the thread may be blocked. Measured: 7, 8 and 74. */
const budget = 200
const callers = 40
const documents = 8_000
const words = 64

let sqlite: Sqlite
let engine: SearchEngine
beforeAll(async () => {
  sqlite = openSqlite({ path: join(temporaryFolder('search-turns-'), 'store.db') })
  engine = sqliteSearch(sqlite)
  await engine.create('live')
  await engine.upsert('live', manyDocuments())
}, 120_000)
afterAll(() => sqlite.close())

const common = Array.from({ length: words }, (_, n) => `common${n}`)

function* manyDocuments(): Iterable<SearchDocument> {
  for (let n = 0; n < documents; n++) yield documentOf(`document-${n}`, common.join(' '))
}

const together = <Result>(ask: () => Promise<Result>) => Promise.all(Array.from({ length: callers }, ask))

it('counting words that all documents hold, for many callers, does not block the thread', async () => {
  const held = await heldBy(() => together(() => engine.frequencies('live', everyone, common, 5_000)))
  expect(held.result[0]?.[0]).toBe(5_000)
  expect(held.longest).toBeLessThan(budget)
})

it('looking up the spellings of an unknown word, for many callers, does not block the thread', async () => {
  const terms = spellingsOf('misspeltquestion').map(({ term }) => term)
  const held = await heldBy(() => together(() => engine.frequencies('live', everyone, terms, 5_000)))
  expect(held.result[0]).toEqual(terms.map(() => 0))
  expect(held.longest).toBeLessThan(budget)
})

it('long queries of many callers do not block the thread', async () => {
  // V8 compiles the code
  await engine.candidates('live', everyone, equal(common), 200)
  const held = await heldBy(() => together(() => engine.candidates('live', everyone, equal(common), 200)))
  expect(held.result[0]?.items).toHaveLength(200)
  expect(held.longest).toBeLessThan(budget)
})
