import { describe, expect, it } from 'vitest'
import { shortClaim } from '../../../src/cli/terminal/questions.ts'

describe('a long claim in a list of questions', () => {
  it('is cut in its middle, between words', () => {
    const claim = '“The theft insurance of all bikes is with Baloise”, or “it is with another insurer since spring”?'
    expect(shortClaim(claim, 60)).toBe('“The theft insurance of all bikes is … since spring”?')
  })

  it('is cut within a word that is longer than a line', () => {
    expect(shortClaim(`${'a'.repeat(60)}${'b'.repeat(60)}`, 60)).toBe(`${'a'.repeat(40)} … ${'b'.repeat(20)}`)
  })

  it('stays as it is if it is short enough', () => {
    expect(shortClaim('Is it red?', 60)).toBe('Is it red?')
  })
})
