/**
 * A decision whose external_id is known: unchanged, a new revision, or, when it was accepted before the current one,
 * a part of the history that never becomes current (PROTOCOL 2.10).
 */
import type { DecideContext, NewRow, Outcome } from '../operation.ts'
import type { Audience } from '../records/ids.ts'
import type { Envelope, Successor } from '../records/record.ts'
import { later } from '../records/supersession.ts'
import type { DecisionInput } from './input.ts'
import { entityOf, outcomeOf } from './record.ts'
import { decisionRow } from './row.ts'
import { supersedeTargets } from './supersedes.ts'

export async function revise(
  context: DecideContext<DecisionInput>,
  current: Envelope,
  audience: Audience,
): Promise<Outcome> {
  const revisions = await context.state.revisions(current.record_id)
  const number = Math.max(...revisions.map((row) => row.revision)) + 1
  const rowId = `${current.record_id}~${number}`
  const row = decisionRow(context, { id: current.record_id, rowId, revision: number, audience })
  const before = revisions.findLast((revision) => revision.accepted < row.accepted)
  const after = revisions.find((revision) => revision.accepted > row.accepted)
  if ((before ?? after)?.content_hash === row.content_hash) return unchanged(current)
  const ended = before ? [{ id: before.id, set: historic(before, row.valid_from, context.at) }] : []
  if (after) {
    // accepted before the current one: history, whichever lane was first; what it supersedes, the decision supersedes
    const late: NewRow = { ...row, feed: 'none', valid_to: later(row.valid_from, after.valid_from) }
    const forward = await supersedeTargets(
      context,
      { ...late, supersedes: current.supersedes },
      context.input.supersedes,
    )
    const outcome = outcomeOf(late, { ...forward, row: {} })
    const gained = forward.row.supersedes ? [{ id: current.id, set: { supersedes: forward.row.supersedes } }] : []
    return { ...outcome, changed: [...ended, ...outcome.changed, ...gained], entity: entityOf(current) }
  }
  const inherited: NewRow = { ...row, ...standingOf(current, row.valid_from), supersedes: current.supersedes }
  const targets = context.input.supersedes
  const forward = await supersedeTargets(context, inherited, targets)
  const outcome = outcomeOf(inherited, forward)
  return { ...outcome, changed: [...ended, ...outcome.changed] }
}

function unchanged(current: Envelope): Outcome {
  return { entity: entityOf(current), correctable: true, created: [], changed: [], links: [] }
}

/** An older revision: out of the feed, valid until the newer one began. */
function historic(revision: Envelope, until: string, at: string): Partial<NewRow> {
  return { feed: 'none', valid_to: later(revision.valid_from, until), updated_at: at }
}

/** A superseded decision stays superseded when its text is revised. */
function standingOf(
  current: Envelope,
  validFrom: string,
): Pick<NewRow, 'superseded_by' | 'successors' | 'valid_to' | 'invalidated_at'> {
  const [earliest]: (Successor | undefined)[] = current.successors
  return {
    superseded_by: current.superseded_by,
    successors: current.successors,
    valid_to: earliest ? later(validFrom, earliest.valid_from) : null,
    invalidated_at: current.invalidated_at,
  }
}
