import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bodyOf, type Sendable, wavesOf } from '../../src/cli/import/batches.ts'

const item = (external_id: string, text = ''): Sendable => {
  const input = { external_id, text }
  return { external_id, input, bytes: Buffer.byteLength(JSON.stringify(input)) }
}

describe('batches of an import', () => {
  it('batches stay within both limits, contain each item once, and never contain an external_id twice', () => {
    const ids = fc.array(fc.tuple(fc.integer({ min: 0, max: 12 }), fc.string({ maxLength: 40 })), { maxLength: 80 })
    const bounds = fc.record({ items: fc.integer({ min: 1, max: 7 }), bytes: fc.integer({ min: 120, max: 400 }) })
    fc.assert(
      fc.property(ids, bounds, (drawn, bound) => {
        const items = drawn.map(([id, text]) => item(`decision ${id}`, text))
        const waves = wavesOf(items, bound)
        const batches = waves.flat()
        expect(batches.flatMap((batch) => batch.items)).toHaveLength(items.length)
        for (const batch of batches) {
          expect(batch.items.length).toBeLessThanOrEqual(bound.items)
          if (batch.items.length > 1) expect(Buffer.byteLength(bodyOf(batch))).toBeLessThanOrEqual(bound.bytes)
          expect(new Set(batch.items.map((one) => one.external_id)).size).toBe(batch.items.length)
        }
        for (const wave of waves) {
          const inWave = wave.flatMap((batch) => batch.items.map((one) => one.external_id))
          expect(new Set(inWave).size).toBe(inWave.length)
        }
        // revisions of one decision keep their order
        const order = (all: readonly Sendable[], id: string) => all.filter((one) => one.external_id === id)
        const sent = batches.flatMap((batch) => batch.items)
        for (const { external_id } of items) expect(order(sent, external_id)).toEqual(order(items, external_id))
      }),
    )
  })

  it('a batch has at most 1,000 decisions and less than 8 MiB', () => {
    const many = Array.from({ length: 2500 }, (_, at) => item(`${at}`))
    expect(
      wavesOf(many)
        .flat()
        .map((batch) => batch.items.length),
    ).toEqual([1000, 1000, 500])
    const large = Array.from({ length: 5 }, (_, at) => item(`${at}`, 'x'.repeat(3 * 1024 * 1024)))
    expect(
      wavesOf(large)
        .flat()
        .map((batch) => batch.items.length),
    ).toEqual([2, 2, 1])
  })

  it('the body of a batch has one line for each decision', () => {
    expect(bodyOf({ items: [item('a', 'two\nlines'), item('b')] }).split('\n')).toHaveLength(3)
  })
})
