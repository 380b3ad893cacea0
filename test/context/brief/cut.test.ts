import { describe, expect, it } from 'vitest'
import { cutAtWord } from '../../../src/context/brief/text/cut.ts'

describe('a text that is cut', () => {
  it.each([
    ['The contract ends tomorrow.', 25, 'The contract ends…'],
    ['The contract ends tomorrow.', 27, 'The contract ends tomorrow.'],
    ['The contract ends, and so on.', 19, 'The contract ends…'],
    ['It is quick (and cheap, too)', 15, 'It is quick…'],
    ['Old: one; two; three', 11, 'Old: one…'],
    ['The crane costs 1,250 crowns', 19, 'The crane costs…'],
    ['It lists these: one; … and more', 24, 'It lists these: one…'],
  ])('%j of at most %i characters is %j', (text, length, told) => {
    expect(cutAtWord(text, length)).toBe(told)
  })

  it('is cut within a word that is longer than a line', () => {
    expect(cutAtWord(`See ${'x'.repeat(100)}`, 80)).toBe(`See ${'x'.repeat(75)}…`)
    expect(cutAtWord('x'.repeat(100), 20)).toBe(`${'x'.repeat(19)}…`)
  })

  it('may end at any place in a script without spaces', () => {
    expect(cutAtWord('Docs: 設計書のリポジトリ管理廃止', 12)).toBe('Docs: 設計書のリ…')
  })

  it('does not end within a code span', () => {
    expect(cutAtWord('Use `@ViewChild` and `@Content Child of it`', 32)).toBe('Use `@ViewChild` and…')
    expect(cutAtWord('Use `@ViewChild`/`@ContentChild`', 24)).toBe('Use…')
    expect(cutAtWord('`a code span of many words`', 12)).toBe('a code…')
  })
})
