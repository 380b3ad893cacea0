import fc from 'fast-check'
import { expect, it } from 'vitest'
import { statement } from '../../../src/adapters/sqlite/base/database.ts'
import { openSqlite } from '../../../src/adapters/sqlite/connection.ts'
import { eachFound, fingerprintOf, hashOf } from '../../../src/adapters/sqlite/search/fingerprint.ts'
import { sqliteSearch } from '../../../src/adapters/sqlite/search.ts'
import { documentOf, everyone } from '../../contracts/search.contract.ts'
import { equal } from '../../support/search-query.ts'

const word = fc.stringMatching(/^[a-z0-9]{1,6}$/)
const document = fc.uniqueArray(fc.tuple(word, fc.integer({ min: 1, max: 100 })), {
  selector: ([term]) => hashOf(term),
  maxLength: 40,
})

it('a fingerprint tells how often each term occurs, up to 63 times', () => {
  fc.assert(
    fc.property(document, fc.uniqueArray(word, { selector: hashOf, maxLength: 20 }), (terms, others) => {
      const frequencies = new Map(terms)
      const asked = [...new Set([...others, ...terms.slice(0, 10).map(([term]) => term)])]
      const byHash = new Map(asked.map((term) => [hashOf(term), term]))
      const hashes = [...byHash.keys()].sort((a, b) => a - b)
      const fingerprint = fingerprintOf(frequencies)
      const found = new Map<string, number>()
      eachFound(fingerprint, hashes, (n, frequency) => {
        found.set(byHash.get(hashes[n] as number) as string, frequency)
      })
      const known = new Map(terms.map(([term, n]) => [hashOf(term), n]))
      const expected = [...byHash].flatMap(([hash, term]): [string, number][] =>
        known.has(hash) ? [[term, Math.min(63, known.get(hash) as number)]] : [],
      )
      expect(new Map([...found].sort())).toEqual(new Map(expected.sort()))
    }),
  )
})

it('records of an older format, without a fingerprint, are ranked by their estimates', async () => {
  const sqlite = openSqlite({ path: ':memory:' })
  const search = sqliteSearch(sqlite, 1)
  await search.create('live')
  // more than are wanted, so that they are ranked exactly
  const documents = Array.from({ length: 300 }, (_, n) =>
    documentOf(`d${n}`, n === 7 ? 'crane wharf' : 'crane quay mole'),
  )
  await search.upsert('live', documents)
  const best = async () => {
    const { items } = await search.candidates('live', everyone, equal(['crane', 'wharf']), 100)
    return [items.length, items[0]?.id]
  }
  const exact = await best()
  sqlite.read((db) => statement(db, 'UPDATE search_documents SET fingerprint = NULL').run())
  expect(await best()).toEqual(exact)
  expect(exact).toEqual([100, 'd7'])
  await sqlite.close()
})
