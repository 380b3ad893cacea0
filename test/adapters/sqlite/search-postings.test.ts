import fc from 'fast-check'
import { expect, it } from 'vitest'
import { lacks } from '../../../src/adapters/sqlite/search/postings.ts'

it('postings show that a row lacks a term, unless it is older than all that were read', () => {
  const rowsOf = fc.uniqueArray(fc.nat(60), { maxLength: 40 })
  fc.assert(
    fc.property(rowsOf, fc.nat(40), fc.nat(60), (all, count, row) => {
      const rows = [...all].sort((a, b) => b - a)
      const read = rows.slice(0, count)
      const cut = read.length < rows.length
      const oldest = read.at(-1) ?? Number.POSITIVE_INFINITY
      const isUnknown = cut && row < oldest
      expect(lacks({ rows: read, cut }, row)).toBe(!isUnknown && !rows.includes(row))
    }),
  )
})
