import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { it } from 'vitest'
import { createSha256, sha256Of } from '../../src/text/sha256.ts'

const ofNode = (data: string | Uint8Array) => createHash('sha256').update(data).digest('hex')

it('gives the same hash as node:crypto, for texts', () => {
  fc.assert(fc.property(fc.string({ unit: 'grapheme', maxLength: 300 }), (text) => sha256Of(text) === ofNode(text)))
})

it('gives the same hash as node:crypto, for bytes that are added in several pieces', () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 200 })), (pieces) => {
      const hash = createSha256()
      for (const piece of pieces) hash.update(piece)
      return hash.hex() === ofNode(Buffer.concat(pieces))
    }),
  )
})
