/** What holds at an instant, and what searches and lists show then. */
import { kinds } from './kinds.ts'
import type { Envelope, PrecedentRecord } from './record.ts'

/** Whether a record is in force at the instant t (SEMANTICS 1). */
export function inForce(
  record: Pick<PrecedentRecord, 'status' | 'invalidated_at' | 'valid_from' | 'valid_to' | 'kind'>,
  t: string,
): boolean {
  return (
    kinds[record.kind].isKnowledge &&
    record.status === 'accepted' &&
    record.invalidated_at === null &&
    record.valid_from <= t &&
    (record.valid_to === null || t < record.valid_to)
  )
}

/**
 * Whether valid_from is in the future. Until then, only lists of decisions and reads by id show the row. A row that became
 * valid when it was made is never dated ahead, even if the clock of the reader is behind.
 */
export function isDatedAhead(row: Pick<Envelope, 'valid_from' | 'created_at'>, now: string): boolean {
  return row.valid_from > now && row.valid_from > row.created_at
}

/** Whether a search without as_of may show a row. It leaves out rows that are invalidated or dated ahead. */
export function isFound(row: Pick<Envelope, 'valid_from' | 'created_at' | 'invalidated_at'>, now: string): boolean {
  return row.invalidated_at === null && !isDatedAhead(row, now)
}
