/** Hidden successors that fill the row of a visible record. */
import type { Audience, RecordId } from '../../../src/ids.ts'
import { mostSuccessors, type PrecedentRecord, records, type Successor } from '../../../src/records/record.ts'
import { type Succession, successionOf, successions } from '../../../src/records/succession.ts'
import { rows, type World, workspace } from '../apply.ts'

/** Sees what no other actor sees. */
export const nobody: Audience = 'user:nobody'

/**
 * Gives the record with the most successors so many hidden ones that its row has no room for those that callers see, but
 * for the first. Written to the store, because no operation lets a hidden record supersede a visible one.
 */
export async function crowd(on: World): Promise<void> {
  const [target] = (await rows(on))
    .filter(({ successors, kind, feed }) => successors.length > 0 && kind !== 'question' && feed !== 'none')
    .sort((a, b) => b.successors.length - a.successors.length)
  if (!target) return
  const [first, ...others] = target.successors as [Successor, ...Successor[]]
  const { external_id: _, ...envelope } = target
  const hidden = Array.from({ length: mostSuccessors - 1 }, (_, n): PrecedentRecord => {
    const id = `00000000-0000-7000-8000-0000000001${String(n).padStart(2, '0')}` as RecordId
    const own = { id, record_id: id, audience: nobody, external_id: null, text: `Hidden only9${n}9only` }
    return { ...envelope, ...own, supersedes: [target.record_id], successors: [], superseded_by: null }
  })
  const successors = [first, ...hidden.map(({ record_id }) => ({ ...first, id: record_id, reason: 'Hidden.' }))]
  await on.documents.insertMany(records, hidden)
  await on.documents.update(records, target.id, { set: { successors } })
  const known = new Map((await rows(on)).map((row) => [row.record_id, row.audience]))
  const further = others.map(({ id, valid_from, reason }, entry): Succession => {
    const draft = { target: target.record_id, successor: id, audience: known.get(id) as Audience, valid_from, reason }
    return { ...successionOf(draft), workspace, entry }
  })
  await on.documents.insertMany(successions, further)
}
