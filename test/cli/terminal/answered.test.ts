import { expect, it } from 'vitest'
import { answeredText } from '../../../src/cli/terminal/answered.ts'
import type { Reason } from '../../../src/records/body.ts'

const after = (question_id: string, resolution: 'confirm' | 'correct' | 'answer' | 'dismiss', reason?: Reason) =>
  answeredText({ question_id, ...(reason === undefined ? {} : { reason }) }, { resolution, note: 'A note.' })

it.each([
  ['clarification:1', 'loss_ledger_gap', 'confirm', 'Confirmed. The decision stays as it is.'],
  ['clarification:1', 'ambiguous_identity', 'answer', 'Recorded. The records in question stay as they are.'],
  ['clarification:1', 'high_grade_supersession', 'answer', 'Recorded. The records in question stay as they are.'],
  ['clarification:1', 'high_grade_supersession', 'correct', 'The older decision is in force again'],
  ['clarification:1', 'contradiction', 'confirm', 'Confirmed. The newer claim replaces the other.'],
  ['clarification:1', 'contradiction', 'correct', 'Recorded. It replaces the claim in question.'],
  ['clarification:1', 'low_confidence', 'answer', 'Recorded. It replaces the claim in question.'],
  ['fact:1', undefined, 'correct', 'Recorded. It replaces the claim in question.'],
  ['clarification:proposals-1-2', 'pending_judgment', 'confirm', 'The proposals stay open'],
  ['clarification:proposals-1-2', undefined, 'dismiss', 'All proposals of the question are rejected.'],
  ['judgment:1', 'pending_judgment', 'dismiss', 'The proposal is rejected.'],
] as const)('says what the answer to %s (%s, %s) has changed', (question, reason, resolution, text) => {
  expect(after(question, resolution, reason)).toContain(text)
})

it('says nothing about the claim if it does not know what was asked', () => {
  expect(after('clarification:1', 'answer')).toBe('Recorded.')
})

it('names the claim that is kept if the note is “keep the older”', () => {
  const answer = { resolution: 'correct', note: 'keep the older' } as const
  const question = { question_id: 'clarification:1', reason: 'contradiction' } as const
  expect(answeredText(question, answer)).toBe('Confirmed. The older claim replaces the other.')
})
