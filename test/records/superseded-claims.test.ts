import { describe, expect, it } from 'vitest'
import { tellsClaim } from '../../src/records/superseded-claims.ts'

describe('a title', () => {
  const claim = 'Backups of the **ledger** are kept for 14 days.'

  it.each([
    ['Backups of the ledger are kept for 14 days', true],
    ['Backups of the ledger are kept for 1…', true],
    ['Backups of…', true],
    ['Since May: backups of the ledger are kept for 14 days, whoever asks', true],
    ['Backups of the ledger', false],
    ['Backups of the ledger are kept for 30 days', false],
    ['Backups', false],
    ['…', false],
  ])('%j tells the claim: %s', (title, tells) => {
    expect(tellsClaim(title, claim)).toBe(tells)
  })

  it.each([
    ['A support agent may refund 150 EUR; above that a team le…', true],
    ['A support agent may refund 150 EUR; above that…', false],
    ['A support agent may refund 150 EUR; above that a team le', false],
  ])('that was cut within the claim tells it if it has three words of it: %j', (title, tells) => {
    expect(tellsClaim(title, 'above that a team lead signs.')).toBe(tells)
  })
})
