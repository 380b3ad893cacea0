import { describe, expect, it } from 'vitest'
import { withoutRetracted } from '../../src/claims/source.ts'
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

  it('is false if the question is about the whole record or about how to read it', () => {
    expect(isRetracted('contradiction', { ...about, whole: true }, without('The limit is 30 MB.'))).toBe(false)
    expect(isRetracted('ambiguous_identity', { ...about, claim: 'Kim' }, without('Kim'))).toBe(false)
  })
})
