/** Whether a question still stands, by what its record is: one that is no longer in force asks nothing (SEMANTICS 6). */
import { type Envelope, inForce } from '../records/record.ts'
import type { Reason } from './question.ts'

type Standing = Pick<Envelope, 'status' | 'invalidated_at' | 'superseded_by'>

/** Whatever the instant: of a record that is dated ahead a question may stand, and is shown when its time has come. */
export function stands({ status, invalidated_at, superseded_by }: Standing, reason: Reason): boolean {
  if (invalidated_at !== null || superseded_by !== null) return false
  if (reason === 'pending_judgment') return status === 'proposed'
  // a proposal leaves questions to those who judge it
  return status === 'accepted' || (status === 'proposed' && reason === 'explicit_question')
}

export function standsAt(record: Standing & Parameters<typeof inForce>[0], reason: Reason, now: string): boolean {
  return stands(record, reason) && (record.status === 'proposed' || inForce(record, now))
}
