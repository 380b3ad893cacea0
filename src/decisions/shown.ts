/** Presents decisions, with the reasons for which persons rejected proposals. */
import type { RecordId } from '../ids.ts'
import { rejectionsOf } from '../questions/answers.ts'
import { decisionsOf } from '../records/present/decisions.ts'
import type { Presenting } from '../records/present/present.ts'
import type { RecordReader } from '../records/read/reader.ts'
import type { SeenRecord } from '../records/read/seen-record.ts'

/** In the order of `records`. `scores` has record ids as keys. */
export async function shownDecisions(
  records: readonly SeenRecord[],
  presenting: Presenting,
  scores?: ReadonlyMap<string, number>,
) {
  return withRejectionNotes(await decisionsOf(records, presenting, scores), presenting.reader)
}

/** A proposal that was rejected together with others of its source has no note. */
export async function withRejectionNotes<Shown extends { id: RecordId; dismissed?: true }>(
  decisions: readonly Shown[],
  reader: RecordReader,
): Promise<(Shown & { rejection_note?: string })[]> {
  const rejected = decisions.flatMap(({ id, dismissed }) => (dismissed ? [id] : []))
  const answers = rejected.length === 0 ? new Map() : await rejectionsOf(rejected, reader)
  return decisions.map((decision) => {
    const note: string | null = answers.get(decision.id)?.note ?? null
    return note === null ? decision : { ...decision, rejection_note: note }
  })
}
