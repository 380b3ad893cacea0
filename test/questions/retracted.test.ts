import { describe, expect, it } from 'vitest'
import { withoutRetracted } from '../../src/claims/source.ts'
import { stillRetracted } from '../../src/claims/still-retracted.ts'
import type { RecordId } from '../../src/ids.ts'
import { isRetracted } from '../../src/questions/is-applicable.ts'

const without = (...claims: string[]) => ({
  superseded_claims: claims.map((claim) => ({ claim, by: 'another' as RecordId })),
})

describe('withoutRetracted', () => {
  it('removes retracted sentences, also across a line break or in a list', () => {
    const text = 'The limit is 30 MB and\nthe parser (v1.2) keeps it. It runs on two machines.\n\n- The limit is 30 MB.'
    const left = withoutRetracted(text, without('The limit is 30 MB and the parser (v1.2) keeps it.'))
    expect(left.trim()).toBe('It runs on two machines.\n\n- The limit is 30 MB.')
    expect(withoutRetracted(text, without('The limit is 30 MB.'))).not.toContain('- The limit')
    expect(withoutRetracted(text, {})).toBe(text)
  })

  it.each(['The follow-up is due on 2026-03-01.', 'It costs $5 (a week) [or so] – a*b+c d|e ^f {g} h\\i/j.'])(
    'removes a retracted sentence that contains characters special to patterns: %s',
    (claim) => {
      expect(withoutRetracted(`${claim} It runs on two machines.`, without(claim)).trim()).toBe(
        'It runs on two machines.',
      )
    },
  )

  it.each([
    ['Logs are kept 90 days', 'then they are deleted; nobody may keep copies. More follows.'],
    ['then they are deleted', 'Logs are kept 90 days; nobody may keep copies. More follows.'],
    ['nobody may keep copies.', 'Logs are kept 90 days; then they are deleted. More follows.'],
  ])('removes a retracted clause: %s', (claim, left) => {
    const text = 'Logs are kept 90 days; then they\nare deleted; nobody may keep copies. More follows.'
    expect(withoutRetracted(text, without(claim)).replace(/\s+/g, ' ').trim()).toBe(left)
  })

  it('removes a sentence whose clauses were all retracted, one by one or with the whole sentence', () => {
    const [first, last] = ['Logs are kept 90 days', 'then they are deleted.']
    for (const claims of [[first, last], [last, `${first}.`], [last, `${first}; ${last}`], [`${first}; ${last}`]])
      expect(withoutRetracted(`So. ${first}; ${last}`, without(...claims)).trim()).toBe('So.')
  })

  it.each([
    'If a bike is late, dealers get 50 EUR; they may cancel.',
    'Prices: small boats 10 EUR; large boats 20 EUR.',
    'The label (it is red; it shows 20 EUR) is glued on.',
  ])('leaves a sentence whose halves do not stand alone as it is: %s', (text) => {
    expect(withoutRetracted(text, without(...text.split('; ')))).toBe(text)
  })

  it('keeps the sentence if only a question inside it was retracted', () => {
    const text = 'Backups run nightly (to be decided: which hour?)'
    expect(withoutRetracted(text, without('which hour?'))).toBe(text)
  })
})

describe('isRetracted', () => {
  const about = { record: 'one' as never, claim: 'The limit is 30 MB.', whole: false }

  it('is true if the claim of the question was retracted', () => {
    expect(isRetracted('contradiction', about, without('The limit is 30 MB.'))).toBe(true)
    expect(isRetracted('contradiction', about, without('It runs on two machines.'))).toBe(false)
  })

  it('is true if a clause of the claim was retracted, or a sentence of which the claim is a clause', () => {
    const sentence = 'The limit is 30 MB; it runs on two machines.'
    expect(isRetracted('low_confidence', { ...about, claim: sentence }, without('The limit is 30 MB'))).toBe(true)
    const whole = { ...about, claim: sentence, whole: true }
    expect(isRetracted('low_confidence', whole, without('The limit is 30 MB'))).toBe(true)
    expect(isRetracted('contradiction', { ...about, claim: 'The limit is 30 MB' }, without(sentence))).toBe(true)
    expect(
      isRetracted('contradiction', { ...about, claim: 'The limit is 30 MB' }, without('it runs on two machines.')),
    ).toBe(false)
  })

  it('is false if the question is about the whole record or about how to read it', () => {
    expect(isRetracted('contradiction', { ...about, whole: true }, without('The limit is 30 MB.'))).toBe(false)
    expect(isRetracted('ambiguous_identity', { ...about, claim: 'Kim' }, without('Kim'))).toBe(false)
  })
})

describe('stillRetracted', () => {
  const before = {
    text: 'Refunds up to 150 EUR are paid by agents; above that a lead signs.',
    mutable: without('Refunds up to 150 EUR are paid by agents') as never,
  }

  it('keeps a clause retracted while its sentence stands there, whatever its case and line breaks', () => {
    const now = stillRetracted(before, 'As before. Refunds up to 150 EUR are\npaid by Agents; above that a lead signs.')
    expect(now).toMatchObject([{ claim: 'Refunds up to 150 EUR are paid by Agents' }])
  })

  it('keeps a clause retracted that had become the end of its sentence', () => {
    const [first, last] = ['Refunds up to 150 EUR are paid by agents.', 'above that a lead signs.']
    const both = { ...before, mutable: without(last, first) as never }
    expect(stillRetracted(both, `As before. ${before.text}`)).toHaveLength(2)
  })

  it('keeps no clause retracted if another clause of its sentence was changed', () => {
    expect(stillRetracted(before, 'Refunds up to 150 EUR are paid by agents; above that Ada signs.')).toEqual([])
  })
})
