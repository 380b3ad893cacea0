import { describe, expect, it } from 'vitest'
import { hasOtherValue } from '../../../src/claims/other-value.ts'
import { likenessAmong } from '../../../src/context/brief/choose/likeness.ts'

const among = (...texts: string[]) =>
  likenessAmong(
    texts.map((text) => ({ heading: '', text })),
    async () => {},
  )

describe('what statements have in common', () => {
  it('a word counts by how few of them have it', async () => {
    const { common } = await among(
      'The crane lifts the anchor.',
      'The crane lifts.',
      'The crane has an anchor.',
      'The crane.',
    )
    expect(common(1, 0)).toBeGreaterThan(common(3, 0))
    expect(common(2, 0)).toBeGreaterThan(common(3, 0))
    expect((await among('The crane is blue.', 'A ferry sails.')).common(1, 0)).toBe(0)
  })

  it('numbers, and words that any statement may have, are not in common', async () => {
    expect((await among('The crane costs 20 euros.', 'The ferry costs 20 euros.')).common(1, 0)).toBeLessThan(5)
    expect((await among('Limit of the crane: 20.', 'Limit of the ferry: 20.')).common(1, 0)).toBe(0)
  })

  it('words of one meaning and irregular forms are the same word', async () => {
    const { common } = await among('The customer left the repository.', 'Clients leave the repo.', 'The customer.')
    expect(common(1, 0)).toBeGreaterThan(2 * common(2, 0))
  })

  it('of all older statements one is nearest to a newer one', async () => {
    const { nearest } = await among(
      'The crane of the quay was mended by Idris.',
      'The crane of the quay is broken.',
      'The ferry of the quay sails at noon.',
    )
    expect(nearest(1, 0)).toBe(1)
    expect(nearest(2, 0)).toBeLessThan(0.5)
  })

  it('of a text with very many sentences, only the first ones are compared one by one', async () => {
    const short = (count: number) => Array.from({ length: count }, (_, n) => `Word${'abcdefghijklmnopqrstuvwxyz'[n]}.`)
    const older = 'The crane of the quay is broken.'
    const behind = (count: number) => [...short(count), older].join('\n')
    expect((await among(behind(23), older)).ofSentences(1, 0)).toBeGreaterThan(0)
    expect((await among(behind(24), older)).ofSentences(1, 0)).toBe(0)
  })

  it('what is nearest among few statements may be far away', async () => {
    const texts = ['The billing desk is owned by Ada.', 'The harbour crane is owned by Ben.']
    const others = Array.from({ length: 60 }, (_, at) => `Word${'abcdefghij'[at % 10]}${'klmnop'[at % 6]} is unlike.`)
    expect((await among(...texts)).nearest(1, 0)).toBeLessThan(0.5)
    expect((await among(...texts, ...others)).nearest(1, 0)).toBeGreaterThan(0.9)
  })
})

describe('values of two texts', () => {
  it.each([
    ['Kept for 14 days.', 'Backups: kept for 35 days.', true],
    ['Kept for 14 days.', 'Kept for two weeks.', false],
    ['Kept for 14 days.', 'It costs 35 euros.', false],
    ['Kept for 14 days.', 'Kept for long. The copy too. In all it is 35 days.', true],
  ])('“%s” and “%s”', (older, newer, differs) => expect(hasOtherValue(older, newer)).toBe(differs))
})
