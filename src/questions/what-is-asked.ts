/** What a question asks, whichever records it is about. */
import { normalized } from '../claims/normalized.ts'
import type { QuestionBody } from '../records/body.ts'
import { asksOfClaims } from './question.ts'

/** Whether another question may ask the same. */
export const mayBeRepeated = ({ reason }: Pick<QuestionBody, 'reason'>) =>
  asksOfClaims(reason) && reason !== 'pending_judgment'

/** Equal for questions that ask the same: an answer to one of them answers the others (answer/same.ts). */
export function whatIsAsked({ reason, about }: QuestionBody): string {
  // both ask whether the claim is true
  const asks = reason === 'single_source' ? 'low_confidence' : reason
  return JSON.stringify([asks, about.map(({ claim }) => normalized(claim)).sort()])
}
