/** Whether a question still stands, by what its record is: one that is no longer in force asks nothing (SEMANTICS 6). */
import type { Reason } from '../records/body.ts'
import { type Envelope, inForce } from '../records/record.ts'

/** `proposal`: the revision that waits to be judged, where that is another one, beside what was decided. */
type QuestionedRecord = Pick<Envelope, 'status' | 'invalidated_at' | 'superseded_by'> & {
  proposal?: object | undefined
}

/** Whatever the instant: of a record that is dated ahead a question may stand, and is shown when its time has come. */
export function isApplicable(
  { status, invalidated_at, superseded_by, proposal }: QuestionedRecord,
  reason: Reason,
): boolean {
  if (invalidated_at !== null || superseded_by !== null) return false
  if (reason === 'pending_judgment') return status === 'proposed' || proposal !== undefined
  // a proposal leaves questions to those who judge it
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
