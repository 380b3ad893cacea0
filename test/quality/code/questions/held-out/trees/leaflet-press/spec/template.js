import assert from 'node:assert'
import { test } from 'node:test'
import { fill } from '../lib/render/template.js'

test('two braces escape, three do not', () => {
  assert.equal(fill('{{ a }}{{{ a }}}', { a: '<' }), '&lt;<')
})
