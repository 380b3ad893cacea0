import assert from 'node:assert'
import { test } from 'node:test'
import { slugify, urlOf } from '../lib/content/permalink.js'

test('accents disappear from addresses', () => {
  assert.equal(slugify('Crème brûlée!'), 'creme-brulee')
})
test('a page without a date has no empty part', () => {
  assert.equal(urlOf({ slug: 'about' }, '/:year/:slug/'), '/about/')
})
