import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { z } from 'zod'
import { keyRequest } from '../../src/access/keys.ts'
import { searchInput, syncInput } from '../../src/context/schema.ts'
import { mostDecisions } from '../../src/decisions/import.ts'
import { decisionInput } from '../../src/decisions/input.ts'
import { decisionSearchInput } from '../../src/decisions/schema.ts'
import { adminBody, type BodyBounds, readBody, searchBody, writeBody } from '../../src/http/base/body-bounds.ts'
import { jsonOutline, lineOutline, type Outline } from '../../src/http/body/batch-outline.ts'
import { counting, structureReader, tokenCounter } from '../../src/http/body/token-count.ts'
import { rememberInput } from '../../src/memories/input.ts'
import { resolve } from '../../src/questions/answer/resolve.ts'
import * as legal from './legal-inputs.ts'

/** Bytes, and the positions at which they are split. */
const cutBytes = fc
  .tuple(fc.oneof(fc.json(), fc.string(), fc.string({ unit: fc.constantFrom(...'{}[],:"\\ \n1') })), fc.array(fc.nat()))
  .map(([text, cuts]) => {
    const bytes = Buffer.from(text)
    const places = [...new Set(cuts.map((cut) => cut % (bytes.length + 1)))].sort((a, b) => a - b)
    return { bytes, pieces: [0, ...places].map((from, at) => bytes.subarray(from, places[at] ?? bytes.length)) }
  })

describe('the structure of a body', () => {
  it('the structure of a body does not depend on how its bytes are split', () => {
    const structureOf = (pieces: readonly Buffer[]) => {
      const met: string[] = []
      const read = structureReader((byte, at) => met.push(`${String.fromCharCode(byte)}${at}`))
      for (const piece of pieces) read(piece)
      return met
    }
    fc.assert(
      fc.property(cutBytes, ({ bytes, pieces }) => {
        expect(structureOf(pieces)).toEqual(structureOf([bytes]))
      }),
    )
  })

  it('the structure of a body has a token for each value and each name, except the outermost value', () => {
    const tokensOf = (value: unknown): number => {
      if (value === null || typeof value !== 'object') return 0
      const inside = Object.values(value).reduce((sum: number, one) => sum + tokensOf(one), 0)
      const size = Object.keys(value).length
      return 1 + Math.max(0, size - 1) + (Array.isArray(value) ? 0 : size) + inside
    }
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), (value) => {
        const count = tokensOf(value)
        const bytes = Buffer.from(JSON.stringify(value))
        expect(() => tokenCounter(count)(bytes)).not.toThrow()
        if (count > 0) expect(() => tokenCounter(count - 1)(bytes)).toThrow(/more than/)
      }),
    )
  })

  it('a body that is nested too deep anywhere is refused', () => {
    const deep = (depth: number) => Buffer.from(`{"a":"[[[","b":${'['.repeat(depth)}`)
    expect(() => structureReader(counting('The body', 1_000))(deep(63))).not.toThrow()
    expect(() => structureReader(counting('The body', 1_000))(deep(64))).toThrow('nested deeper than 64 at byte 78')
  })
})

describe('the outline of a batch', () => {
  const outlineOf = (outline: Outline & { end?(): void }, pieces: readonly Buffer[]) => {
    try {
      for (const piece of pieces) outline.take(piece)
      outline.end?.()
      return outline.items
    } catch (refusal) {
      return (refusal as Error).message
    }
  }

  it('the outline of a batch does not depend on how its bytes are split', () => {
    fc.assert(
      fc.property(cutBytes, ({ bytes, pieces }) => {
        for (const outline of [jsonOutline, lineOutline]) {
          expect(outlineOf(outline(), pieces)).toEqual(outlineOf(outline(), [bytes]))
        }
      }),
    )
  })

  it('the outline of a batch finds each item of any list', () => {
    fc.assert(
      fc.property(fc.array(fc.jsonValue(), { minLength: 1 }), fc.constantFrom(undefined, 1), (values, spaces) => {
        const bytes = Buffer.from(JSON.stringify({ decisions: values, idempotency_key: '],[{' }, null, spaces))
        const outline = jsonOutline()
        outline.take(bytes)
        const items = outline.items.map(({ from, to }) => JSON.parse(bytes.subarray(from, to).toString()))
        expect(items).toEqual(JSON.parse(JSON.stringify(values)))
        expect(outline.lists).toHaveLength(1)
      }),
    )
  })

  it('a batch of 1,000 decisions with full lists is accepted, and one more is refused before any is parsed', () => {
    const item = JSON.stringify(legal.decision('x'))
    const inJson = (count: number) => Buffer.from(`{"decisions":[${Array(count).fill(item).join(',')}]}`)
    const inLines = (count: number) => Buffer.from(Array(count).fill(item).join('\n\n'))
    for (const [outline, body] of [[jsonOutline, inJson] as const, [lineOutline, inLines] as const]) {
      const items = outlineOf(outline(), [body(mostDecisions)])
      expect(items).toHaveLength(mostDecisions)
      expect((items as Outline['items']).filter(({ refusal }) => refusal)).toEqual([])
      expect(outlineOf(outline(), [body(mostDecisions + 1)])).toMatch(/more than 1000 items/)
    }
  })
})

const inputs: readonly (readonly [name: string, schema: z.ZodType, input: unknown, bounds: BodyBounds])[] = [
  ['context.search', searchInput, legal.search, searchBody],
  ['decision.search', decisionSearchInput, legal.decisionSearch, readBody],
  ['context.sync', syncInput, legal.sync, readBody],
  ['context.remember', rememberInput, legal.memory, writeBody],
  ['context.resolve', resolve.input, legal.answer, writeBody],
  ['decision.record', decisionInput, legal.decision('x', legal.most(20_000)), writeBody],
  ['key.create', keyRequest, legal.key, adminBody],
]

it.each(inputs)(
  'the largest valid input of %s is accepted, with each character escaped',
  (_, schema, input, bounds) => {
    const text = legal.escaped(input)
    expect(schema.safeParse(JSON.parse(text)).error).toBeUndefined()
    expect(text.length).toBeLessThanOrEqual(bounds.bytes)
    // twice as many tokens are also within the bound, so the answer names the wrong field
    expect(() => tokenCounter(bounds.tokens / 2)(Buffer.from(text))).not.toThrow()
  },
)
