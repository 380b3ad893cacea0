/**
 * Reads the rows of one record that an actor sees (SEMANTICS 2), for checks of a write. The audiences are part of the
 * query, so a hidden record and a missing one can't be told apart by the answer or by its time.
 */
import { type Actor, audiencesOf } from '../access/actor.ts'
import type { Documents, Picked } from '../ports/documents.ts'
import { type PrecedentRecord, records } from './record.ts'

/** Rows of one record that a check reads; a bound suffices, because all revisions of a decision have one audience. */
const mostRows = 100

export function visibleRows<F extends keyof PrecedentRecord & string>(
  documents: Documents,
  actor: Pick<Actor, 'workspace' | 'user' | 'teams'>,
  id: string,
  fields: readonly F[],
): Promise<Picked<PrecedentRecord, F>[]> {
  const where = { workspace: actor.workspace, record_id: id.toLowerCase(), audience: { in: audiencesOf(actor) } }
  return documents.find(records, { where, limit: mostRows, fields })
}
