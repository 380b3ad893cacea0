/**
 * Decides whether a question still applies to its record (SEMANTICS 6). Records that are no longer in force have no
 * questions. Neither have retracted claims: those that were superseded while their record stays in force.
 */
import { partsOf } from '../claims/clauses.ts'
import { normalized } from '../claims/normalized.ts'
import type { About, Answer, AnyMutable, Reason } from '../records/body.ts'
import { inForce } from '../records/in-force.ts'
import type { Envelope } from '../records/record.ts'
import { claimsIn } from '../records/superseded-claims.ts'
import { asksOfClaims } from './question.ts'

/** `proposal`: a proposed revision beside the decided one, if there is one. */
type QuestionedRecord = Pick<Envelope, 'status' | 'invalidated_at' | 'superseded_by'> & {
  proposal?: object | undefined
}

/** Ignores the time: the question of a record that is not yet in force applies, and is shown once the record is in force. */
export function isApplicable(
  { status, invalidated_at, superseded_by, proposal }: QuestionedRecord,
  reason: Reason,
): boolean {
  if (invalidated_at !== null || superseded_by !== null) return false
  if (reason === 'pending_judgment') return status === 'proposed' || proposal !== undefined
  // the explicit questions of a proposal are for those who judge it
  return status === 'accepted' || (status === 'proposed' && reason === 'explicit_question')
}

export function isApplicableAt(
  record: QuestionedRecord & Parameters<typeof inForce>[0],
  reason: Reason,
  now: string,
): boolean {
  if (!isApplicable(record, reason)) return false
  return reason === 'pending_judgment' || record.status === 'proposed' || inForce(record, now)
}

/** Whether an answer with this resolution retracts a claim of a record of the question, or supersedes the record. */
export function retracts({ resolution }: Pick<Answer, 'resolution'>, reason: Reason): boolean {
  if (!asksOfClaims(reason) || resolution === 'dismiss') return false
  return resolution !== 'confirm' || reason === 'contradiction'
}

/** Whether the claim that a question is about, or a clause of it, was retracted from its record. */
export function isRetracted(reason: Reason, { claim, whole }: About, mutable: AnyMutable): boolean {
  if (!asksOfClaims(reason)) return false
  // a record of which all was retracted is superseded
  const parts = new Set(
    partsOf(claim)
      .slice(whole ? 1 : 0)
      .map(normalized),
  )
  return claimsIn(mutable).some((retracted) => partsOf(retracted.claim).some((part) => parts.has(normalized(part))))
}
