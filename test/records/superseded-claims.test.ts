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
})
