import { expect, it } from 'vitest'
import { spellingsOf } from '../../src/text/alternatives.ts'

it('no word has more spellings than an engine counts at once', () => {
  for (const word of ['misspeltquestionings', 'relationalizationing', 'orghinhznhtznhvznung']) {
    expect(spellingsOf(word).length).toBeLessThanOrEqual(2_000)
  }
})

it('a mistake in an ending leads to the stem of the right word', () => {
  const [likest] = spellingsOf('computatoin').filter(({ term }) => term === 'comput')
  expect(likest?.likeness).toBeGreaterThan(0.9)
})

it('short words and words with other letters than a to z have no spellings', () => {
  expect([spellingsOf('tls'), spellingsOf('café'), spellingsOf('utf8')]).toEqual([[], [], []])
})
