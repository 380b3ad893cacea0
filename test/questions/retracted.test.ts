import { describe, expect, it } from 'vitest'
import { contradictionOf } from '../../src/questions/contradiction.ts'
import { isRetracted, withoutRetracted } from '../../src/questions/retracted.ts'
import type { RecordId } from '../../src/records/ids.ts'

const without = (...claims: string[]) => ({
  superseded_claims: claims.map((claim) => ({ claim, by: 'another' as RecordId })),
})

describe('what a record still claims', () => {
  it('is all but the sentences that were superseded, as its writer wrapped them', () => {
    const text = 'The limit is 30 MB and\nthe parser (v1.2) keeps it. It runs on two machines.\n\n- The limit is 30 MB.'
    const left = withoutRetracted(text, without('The limit is 30 MB and the parser (v1.2) keeps it.'))
    expect(left.trim()).toBe('It runs on two machines.\n\n- The limit is 30 MB.')
    expect(withoutRetracted(text, without('The limit is 30 MB.'))).not.toContain('- The limit')
    expect(withoutRetracted(text, {})).toBe(text)
  })

  it.each(['The follow-up is due on 2026-03-01.', 'It costs $5 (a week) [or so] – a*b+c d|e ^f {g} h\\i/j.'])(
    'lacks a sentence of whatever characters: %s',
    (claim) => {
      expect(withoutRetracted(`${claim} It runs on two machines.`, without(claim)).trim()).toBe(
        'It runs on two machines.',
      )
    },
  )

  it('is the whole sentence where a question in it was answered', () => {
    const text = 'Backups run nightly (to be decided: which hour?)'
    expect(withoutRetracted(text, without('which hour?'))).toBe(text)
  })

  it('lacks what is told apart by an acronym of the other record', () => {
    const text = 'The recovery point objective of the ledger store is 4 hours.'
    const found = contradictionOf({ title: '', text }, { title: '', text: 'The RPO of the ledger store is 8 hours.' })
    expect(found?.a.text).toBe(text)
    expect(withoutRetracted(text, without(found?.a.text ?? '')).trim()).toBe('')
  })
})

describe('a question', () => {
  const about = { record: 'one' as never, claim: 'The limit is 30 MB.', whole: false }

  it('is withdrawn with the claim that it is about', () => {
    expect(isRetracted('contradiction', about, without('The limit is 30 MB.'))).toBe(true)
    expect(isRetracted('contradiction', about, without('It runs on two machines.'))).toBe(false)
  })

  it('stands where it asks of the whole record, or how it is to be read', () => {
    expect(isRetracted('contradiction', { ...about, whole: true }, without('The limit is 30 MB.'))).toBe(false)
    expect(isRetracted('ambiguous_identity', { ...about, claim: 'Kim' }, without('Kim'))).toBe(false)
  })
})
