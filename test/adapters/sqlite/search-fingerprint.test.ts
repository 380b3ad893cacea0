import fc from 'fast-check'
import { expect, it } from 'vitest'
import { eachFound, fingerprintOf, hashOf } from '../../../src/adapters/sqlite/search/fingerprint.ts'

const word = fc.stringMatching(/^[a-z0-9]{1,6}$/)
const document = fc.uniqueArray(fc.tuple(word, fc.integer({ min: 1, max: 100 })), {
  selector: ([term]) => hashOf(term),
  maxLength: 40,
})

it('a fingerprint tells how often each term occurs, up to 63 times, wherever it lies in a text', () => {
  fc.assert(
    fc.property(document, fc.uniqueArray(word, { selector: hashOf, maxLength: 20 }), word, (terms, others, before) => {
      const frequencies = new Map(terms)
      const asked = [...new Set([...others, ...terms.slice(0, 10).map(([term]) => term)])]
      const byHash = new Map(asked.map((term) => [hashOf(term), term]))
      const hashes = [...byHash.keys()].sort((a, b) => a - b)
      const fingerprint = fingerprintOf(frequencies)
      const found = new Map<string, number>()
      eachFound(
        `${before}${fingerprint}zz`,
        before.length,
        before.length + fingerprint.length,
        hashes,
        (n, frequency) => {
          found.set(byHash.get(hashes[n] as number) as string, frequency)
        },
      )
      const known = new Map(terms.map(([term, n]) => [hashOf(term), n]))
      const expected = [...byHash].flatMap(([hash, term]): [string, number][] =>
        known.has(hash) ? [[term, Math.min(63, known.get(hash) as number)]] : [],
      )
      expect(new Map([...found].sort())).toEqual(new Map(expected.sort()))
    }),
  )
})
