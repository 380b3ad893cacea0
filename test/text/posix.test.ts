import { posix as node } from 'node:path'
import fc from 'fast-check'
import { it } from 'vitest'
import { posix } from '../../src/text/posix.ts'

const path = fc.array(fc.constantFrom('/', '/', '.', '..', 'a', 'b.md', 'ä')).map((parts) => parts.join(''))

it.each(['basename', 'dirname', 'normalize'] as const)('%s gives the same as that of node:path', (name) => {
  fc.assert(fc.property(path, (one) => posix[name](one) === node[name](one)))
})

it('join gives the same as that of node:path', () => {
  fc.assert(fc.property(fc.array(path), (paths) => posix.join(...paths) === node.join(...paths)))
})
