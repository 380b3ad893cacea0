import { describe, expect, it } from 'vitest'
import { hedgedIn } from '../../../src/claims/left-open/hedges.ts'
import { findingsOf } from '../../../src/questions/raise/rules.ts'

const shown = (text: string, title = text.slice(0, 60)) => hedgedIn(text, title)?.shown

describe('a hedged sentence that does not tell what it is about', () => {
  it.each([
    ['Hall C was damp at night. Probably the logger.', 'Hall C was damp at night. Probably the logger.'],
    ['Hall C was damp at night. It was probably the logger.', 'Hall C was damp at night. It was probably the logger.'],
    ['Hall C was damp at night. Perhaps.', 'Hall C was damp at night. Perhaps.'],
    [
      'Hall C was damp. Probably the radio link, it is worst in rain.',
      'Hall C was damp. Probably the radio link, it is worst in rain.',
    ],
    ['Hall C was damp.\nPresumably the logger.', 'Hall C was damp. Presumably the logger.'],
    ['The courier left at six. I think they met in Metz.', 'The courier left at six. I think they met in Metz.'],
    ['- Hall C was damp. Probably the logger.\n- Hall D was dry.', 'Hall C was damp. Probably the logger.'],
  ])('is asked about together with the sentence before it: %s', (text, claim) => {
    expect(shown(text)).toBe(claim)
  })

  it('is asked about after its heading, or else after the title of the record, if no sentence stands before it', () => {
    expect(shown('# Damp in hall C\n\nProbably the logger.')).toBe('Damp in hall C: Probably the logger.')
    expect(shown('Probably the logger.', 'Damp in hall C')).toBe('Damp in hall C: Probably the logger.')
    expect(shown('Hall D is dry.\n\nProbably the logger.', 'Damp in hall C')).toBe(
      'Damp in hall C: Probably the logger.',
    )
    expect(shown('Probably the logger.', 'Probably the logger.')).toBe('Probably the logger.')
  })

  it('is not asked about together with a sentence that is so long that a brief would show only that one', () => {
    const long = `Hall C was damp in each of the nights ${'of the first week of November '.repeat(5)}.`
    expect(shown(`${long} Probably the logger.`, 'Damp in hall C')).toBe('Damp in hall C: Probably the logger.')
  })
})

it.each([
  'I think the stall opens at seven.',
  'The export probably runs from the old host.',
  'The cause is probably the logger.',
  'Sloes are probably blue.',
  'I believe that my own basket leaks.',
])('a hedged sentence that tells what it is about is asked about alone: %s', (claim) => {
  expect(shown(`Hall C was damp. ${claim}`, 'Damp in hall C')).toBe(claim)
})

it('the claim that an answer retracts is only the hedged sentence', () => {
  const text = 'Hall C was damp. Probably the logger.'
  const base = { invalidated_at: null, superseded_by: null, significance: null, record_id: 'r', sources: [] }
  const row = { ...base, kind: 'memory', title: text, text, status: 'accepted', body: { memory_kind: 'fact' } }
  const [asked] = findingsOf({ ...row, mutable: {} } as never)
  expect(asked).toMatchObject({ form: 'clarification', reason: 'low_confidence', claim: text })
  expect(asked?.about).toEqual([{ record: 'r', claim: 'Probably the logger.', whole: false }])
})
