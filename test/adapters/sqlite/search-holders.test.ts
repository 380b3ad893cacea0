import fc from 'fast-check'
import { expect, it } from 'vitest'
import { statement } from '../../../src/adapters/sqlite/base/database.ts'
import { openSqlite, type Sqlite } from '../../../src/adapters/sqlite/connection.ts'
import { holds, readHolders } from '../../../src/adapters/sqlite/search/holders.ts'
import { numberOfIndex } from '../../../src/adapters/sqlite/search/indexes.ts'
import { addedTo, readTerm, visibleScopes } from '../../../src/adapters/sqlite/search/postings.ts'
import { sqliteSearch } from '../../../src/adapters/sqlite/search.ts'
import { inVersion } from '../../../src/ports/index-versions.ts'
import { documentOf, everyone, workspace } from '../../contracts/search.contract.ts'

const ids = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']

const steps = fc.array(
  fc.oneof(
    fc.record({ store: fc.subarray(ids, { minLength: 1 }), word: fc.constantFrom('crane', 'quay') }),
    // documents with other rows between
    fc.record({ others: fc.constant(70) }),
    fc.record({ atMost: fc.integer({ min: 0, max: 6 }) }),
  ),
  { minLength: 4, maxLength: 40 },
)

it('holders are complete or unknown, however few postings are read at once while documents come and go', async () => {
  let complete = 0
  await fc.assert(
    fc.asyncProperty(steps, async (steps) => {
      const sqlite = openSqlite({ path: ':memory:' })
      const search = sqliteSearch(sqlite, 1)
      await search.create('live')
      const read = (atMost: number) => readCranes(sqlite, inVersion('live', search.version), atMost)
      const words = new Map<string, string>()
      let version = 0
      const store = (ids: string[], word: string) => {
        version++
        for (const id of ids) words.set(id, word)
        return search.upsert(
          'live',
          ids.map((id) => documentOf(id, word, { version })),
        )
      }
      await store(ids, 'crane')
      for (const step of steps) {
        if ('store' in step) await store(step.store, step.word)
        else if ('others' in step) {
          const others = Array.from({ length: step.others }, (_, n) => `o${version}-${n}`)
          await store(others, 'quay')
        } else {
          const holders = read(step.atMost)
          if (holders === undefined) continue
          complete++
          expect(holders).toEqual(holdersIn(words))
        }
      }
      // no more documents are added: after some reads all holders are known, even if reading starts again once
      for (let n = 0; n < 24; n++) read(2)
      expect(read(0)).toEqual(holdersIn(words))
      await sqlite.close()
    }),
  )
  expect(complete).toBeGreaterThan(50)
})

function holdersIn(words: ReadonlyMap<string, string>): string[] {
  return [...words.keys()].filter((id) => words.get(id) === 'crane').sort()
}

/** The documents that hold "crane", by what is known after reading at most so many postings; undefined: not all. */
function readCranes(sqlite: Sqlite, index: string, atMost: number): string[] | undefined {
  return sqlite.read((db) => {
    const scopes = visibleScopes(db, numberOfIndex(db, index), { ...everyone, workspace })
    const { holders, read } = readHolders(db, readTerm(db, scopes, 'crane', 0), addedTo(scopes), atMost)
    expect(read).toBeLessThanOrEqual(atMost)
    if (holders === undefined) return undefined
    const rows = statement(db, 'SELECT id, row FROM search_documents ORDER BY id').all() as [string, number][]
    return rows.filter(([, row]) => holds(holders, row)).map(([id]) => id)
  })
}
