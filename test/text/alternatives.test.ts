import { expect, it } from 'vitest'
import { spellingsOf } from '../../src/text/alternatives.ts'

it('no word has more spellings than an engine counts at once', () => {
  for (const word of [
    'misspeltquestionings',
    'orghinhznhtznhvznung',
    'конфигурированностью',
    'geschwindigkeitsbegrenzngenorh',
  ]) {
    expect(spellingsOf(word).length).toBeLessThan(2_000)
  }
})

it('a mistake in an ending leads to the stem of the right word', () => {
  const [likest] = spellingsOf('computatoin').filter(({ term }) => term === 'comput')
  expect(likest?.likeness).toBeGreaterThan(0.9)
})

it('spellings of a word use the letters of its own alphabet', () => {
  const likest = (word: string) => spellingsOf(word).flatMap(({ term, likeness }) => (likeness > 0.8 ? [term] : []))
  expect(likest('догвор')).toContain('договор')
  expect(likest('τιμολγιο')).toContain('τιμολογιο')
  expect(likest('догвор').join('')).not.toMatch(/[a-zα-ω]/)
})

it('short words, words with digits and words of two alphabets have no spellings', () => {
  for (const word of ['tls', 'utf8', 'догvor', 'データベース']) expect(spellingsOf(word)).toEqual([])
})
