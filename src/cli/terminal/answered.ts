/** Says what an answer to a question has changed. */
import { keptBy } from '../../questions/answer/input.ts'
import { factPrefix, isAboutOldProposals, isJudgment, type OpenQuestion } from '../../questions/schema.ts'

export interface GivenAnswer {
  resolution: 'confirm' | 'correct' | 'answer' | 'dismiss'
  note?: string | undefined
}

/** A question whose reason is unknown: the key may only write, or the question had closed before. */
export type Answered = Pick<OpenQuestion, 'question_id' | 'reason'>

export function answeredText(question: Answered, answer: GivenAnswer): string {
  const { reason } = question
  if (isJudgment(question)) return ofProposal[answer.resolution]
  if (isAboutOldProposals(question)) return ofOldProposals[answer.resolution]
  if (answer.resolution === 'dismiss') return 'Dismissed. It is not asked again.'
  const kept = reason === undefined ? undefined : keptBy(withNote(answer), { reason })
  if (kept !== undefined) return `Confirmed. The ${kept} claim replaces the other.`
  if (answer.resolution === 'confirm') {
    return reason === 'loss_ledger_gap' ? 'Confirmed. The decision stays as it is.' : 'Confirmed.'
  }
  if (reason === undefined && !question.question_id.startsWith(factPrefix)) return 'Recorded.'
  if (reason === 'loss_ledger_gap') {
    return 'Recorded. The decision stays as it is; `precedent supersede` replaces it.'
  }
  if (reason === 'high_grade_supersession' && answer.resolution === 'correct') {
    return 'Recorded. The older decision is in force again, unless something else replaces it too.'
  }
  if (reason === 'high_grade_supersession' || reason === 'ambiguous_identity') {
    return 'Recorded. The records in question stay as they are.'
  }
  return 'Recorded. It replaces the claim in question.'
}

const ofProposal = {
  confirm: 'The proposal is accepted.',
  dismiss: 'The proposal is rejected.',
  correct: 'Recorded as a decision that replaces the proposal.',
  answer: 'Recorded as a decision that replaces the proposal.',
} as const

const ofOldProposals = {
  confirm: 'Confirmed. The proposals stay open and are not asked about again.',
  dismiss: 'All proposals of the question are rejected.',
  correct: 'Recorded as a decision that replaces all proposals of the question.',
  answer: 'Recorded as a decision that replaces all proposals of the question.',
} as const

const withNote = ({ resolution, note }: GivenAnswer) => ({ resolution, ...(note === undefined ? {} : { note }) })
