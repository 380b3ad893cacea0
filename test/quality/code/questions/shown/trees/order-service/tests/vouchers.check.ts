import assert from 'node:assert'
import { test } from 'node:test'
import { discount } from '../src/catalog/vouchers.ts'

test('a small basket gets nothing off', () => {
  assert.equal(discount('SPRING10', 1999), 0)
})
test('codes may be typed in small letters', () => {
  assert.equal(discount('fiver', 4000), 500)
})
