import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { analyze } from '../../src/text/analyzer.ts'
import { bestPassage, maxPassageLength, passages } from '../../src/text/passages.ts'

describe('passages', () => {
  it('are the whole text, verbatim, trimmed, bounded, in order', () => {
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

  it('end where paragraphs do, else sentences, else words', () => {
    const sentence = 'This sentence has some forty characters. '
    const paragraphs = `${sentence.repeat(20).trim()}\n\n${sentence.repeat(20).trim()}`
    expect(passages(paragraphs)).toEqual(paragraphs.split('\n\n'))
    for (const passage of passages(sentence.repeat(100))) expect(passage.endsWith('.')).toBe(true)
    for (const passage of passages('words '.repeat(1000))) expect(passage.endsWith('words')).toBe(true)
  })

  it('never split a pair', () => {
    for (const passage of passages(`a${'🚀'.repeat(3000)}`)) expect(passage).toMatch(/^a?(?:🚀)+$/u)
  })

  it('of long texts take time in proportion', () => {
    expect(passages('\n'.repeat(500_000))).toEqual([])
    expect(passages(`${' \n'.repeat(300_000)}x`)).toEqual(['x'])
  })
})

describe('the best passage', () => {
  const filler = 'Nothing of interest stands in this sentence. '.repeat(25)
  const text = `${filler}\n\n${filler}The queue retries twice. Then the queue gives up.\n\n${filler}A queue.`

  it('is the one with most of the terms', () => {
    expect(bestPassage(text, analyze('queue retry'))).toContain('The queue retries twice.')
    expect(text).toContain(bestPassage(text, analyze('queue retry')))
  })

  it('is the first where none has any, or none is asked for', () => {
    expect(bestPassage(text, analyze('elephant'))).toBe(filler.trim())
    expect(bestPassage(text, [])).toBe(filler.trim())
  })

  it('is empty only where the text is blank', () => {
    expect(bestPassage('', ['queue'])).toBe('')
    expect(bestPassage(' \n ', ['queue'])).toBe('')
    expect(bestPassage(' . ', ['queue'])).toBe('.')
  })
})
