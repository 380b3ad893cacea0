import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { maxPassageLength, passages } from '../../src/text/passages.ts'

describe('passages', () => {
  it('contain the whole text, verbatim, trimmed, bounded and in order', () => {
    const pieces = fc.constantFrom('word ', 'A sentence. ', '\n\n', '\n', 'x'.repeat(700), '日本語。', '🚀', ' ', 'etc')
    const text = fc
      .array(fc.oneof(pieces, fc.string({ unit: 'binary' })), { maxLength: 200 })
      .map((parts) => parts.join(''))
    fc.assert(
      fc.property(text, (whole) => {
        const found = passages(whole)
        let from = 0
        for (const passage of found) {
          expect(passage.length).toBeGreaterThan(0)
          expect(passage.length).toBeLessThanOrEqual(maxPassageLength)
          expect(passage).toBe(passage.trim())
          const at = whole.indexOf(passage, from)
          expect(at).toBeGreaterThanOrEqual(from)
          expect(whole.slice(from, at).trim()).toBe('')
          from = at + passage.length
        }
        expect(whole.slice(from).trim()).toBe('')
      }),
      { numRuns: 500 },
    )
  })

  it('end at the end of a paragraph, else of a sentence, else of a word', () => {
    const sentence = 'This sentence has some forty characters. '
    const paragraphs = `${sentence.repeat(20).trim()}\n\n${sentence.repeat(20).trim()}`
    expect(passages(paragraphs)).toEqual(paragraphs.split('\n\n'))
    for (const passage of passages(sentence.repeat(100))) expect(passage.endsWith('.')).toBe(true)
    for (const passage of passages('words '.repeat(1000))) expect(passage.endsWith('words')).toBe(true)
  })

  it('never split a surrogate pair', () => {
    for (const passage of passages(`a${'🚀'.repeat(3000)}`)) expect(passage).toMatch(/^a?(?:🚀)+$/u)
  })

  it('take time in proportion to the text', () => {
    expect(passages('\n'.repeat(500_000))).toEqual([])
    expect(passages(`${' \n'.repeat(300_000)}x`)).toEqual(['x'])
  })
})
