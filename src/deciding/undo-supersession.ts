/** Undoes the supersession of a strategic decision: the older one is in force again, as a new revision. */

import { rowIdOf } from '../ids.ts'
import { orderOfAcceptance } from '../receipt.ts'
import { kinds } from '../records/kinds.ts'
import { movedLink } from '../records/link.ts'
import type { Envelope } from '../records/record.ts'
import { proposalOf } from '../records/revisions.ts'
import type { DecideContext } from './context.ts'
import { followingOutcomes } from './facets.ts'
import type { NewRow, Outcome } from './outcome.ts'
import { wholeOf } from './state-at-head.ts'
import { decidedAt } from './supersession.ts'

type Undone = Pick<Outcome, 'created' | 'changed' | 'documents'>

/**
 * undefined: it can't be undone, because the older decision has other successors or a pending proposal, or was changed
 * by a call accepted later.
 */
export async function undoSupersession<Input>(
  context: DecideContext<Input>,
  older: Envelope,
  newer: Envelope,
): Promise<Undone | undefined> {
  const { state, at, receipt } = context
  if (older.successors.length !== 1 || older.superseded_by !== newer.record_id) return undefined
  const revisions = await state.revisions(older.record_id)
  const accepted = orderOfAcceptance(receipt.id)
  if (proposalOf(revisions) || revisions.some((row) => row.accepted > accepted)) return undefined
  const { seq: _, memory_kind: __, ...whole } = await wholeOf(state, older)
  if (whole.kind !== 'decision') return undefined
  const revision = Math.max(...revisions.map((row) => row.revision)) + 1
  const row: NewRow = {
    ...whole,
    id: rowIdOf(older.record_id, revision),
    revision,
    feed: kinds.decision.feed,
    // while it was superseded, it was not in force
    valid_from: decidedAt(context),
    valid_to: null,
    superseded_by: null,
    successors: [],
    created_at: receipt.accepted_at,
    created_by: context.actor.user,
    updated_at: at,
    accepted,
  }
  const taken = (await state.documents('links', 'successor', newer.record_id)).filter(
    (link) => link.state === 'taken' && link.target === older.record_id,
  )
  const supersedes = newer.supersedes.filter((id) => id !== older.record_id)
  return {
    created: [row],
    changed: [
      { id: older.id, set: { feed: 'none', updated_at: at } },
      ...(supersedes.length === newer.supersedes.length ? [] : [{ id: newer.id, set: { supersedes, updated_at: at } }]),
      ...(await followingOutcomes(state, row, at, whole.body)),
    ],
    documents: { links: taken.map((link) => movedLink(link, { state: 'closed' })) },
  }
}
