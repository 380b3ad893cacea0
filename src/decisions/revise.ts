/**
 * A decision whose external_id is known: unchanged, a new revision, or, when it was accepted before the current one,
 * a part of the history that never becomes current (PROTOCOL 2.10).
 */
import type { DecideContext, NewRow, Outcome } from '../operation.ts'
import type { Audience } from '../records/ids.ts'
import type { DecisionBody, Envelope } from '../records/record.ts'
import { decidedAt, newEnds, takesEffect } from '../records/supersession.ts'
import type { DecisionInput } from './input.ts'
import { entityOf, outcomeOf } from './record.ts'
import { decisionRow } from './row.ts'
import { supersedeTargets, type Weigh, type Weighed } from './supersedes.ts'

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
  return after ? late(context, row, current, revisions) : newest(context, row, current, revisions)
}

function unchanged(current: Envelope): Outcome {
  return { entity: entityOf(current), correctable: true, created: [], changed: [], links: [] }
}

/** It becomes current; a superseded decision stays superseded when it is revised. */
async function newest(
  context: DecideContext<DecisionInput>,
  row: NewRow,
  current: Envelope,
  revisions: readonly Envelope[],
): Promise<Outcome> {
  const { superseded_by, successors, supersedes, invalidated_at } = current
  const ends = newEnds([...revisions, row], successors, context.at)
  const inherited: NewRow = { ...row, superseded_by, successors, supersedes, invalidated_at, ...endOf(row, ends) }
  const outcome = outcomeOf(inherited, await supersedeTargets(context, inherited))
  const replaced = { id: current.id, set: { feed: 'none' as const, updated_at: context.at } }
  return { ...outcome, changed: [replaced, ...others(row, ends), ...outcome.changed] }
}

/** History, whichever lane was first: what it names the decision supersedes as if it had been decided in its turn. */
async function late(
  context: DecideContext<DecisionInput>,
  row: NewRow,
  current: Envelope,
  revisions: readonly Envelope[],
): Promise<Outcome> {
  const inOrder = [...revisions, row].sort((a, b) => (a.accepted < b.accepted ? -1 : 1))
  const ends = newEnds(inOrder, current.successors, context.at)
  const historic: NewRow = { ...row, feed: 'none', ...endOf(row, ends) }
  const like = { ...historic, supersedes: current.supersedes }
  const forward = await supersedeTargets(context, like, await byAll(context, row, inOrder))
  const outcome = outcomeOf(historic, { ...forward, row: {} })
  const gained = forward.row.supersedes
    ? [{ id: current.id, set: { supersedes: forward.row.supersedes, updated_at: context.at } }]
    : []
  return { ...outcome, changed: [...others(row, ends), ...outcome.changed, ...gained], entity: entityOf(current) }
}

type Ends = ReturnType<typeof newEnds>

function endOf(row: NewRow, ends: Ends): Pick<NewRow, 'valid_to'> {
  return { valid_to: ends.find(({ id }) => id === row.id)?.set.valid_to ?? null }
}

function others(row: NewRow, ends: Ends): Ends {
  return ends.filter(({ id }) => id !== row.id)
}

/** Weighs by all revisions from the first on that names a target: those after a late one say when that supersedes. */
async function byAll(
  context: DecideContext<DecisionInput>,
  row: NewRow,
  inOrder: readonly (Envelope | NewRow)[],
): Promise<Weigh> {
  const all: { row: Envelope | NewRow; body: DecisionBody }[] = []
  for (const one of inOrder) {
    const whole = one.id === row.id ? row : await context.state.whole(one.id)
    all.push({ row: one, body: whole?.body as DecisionBody })
  }
  return (names) => {
    const naming = all.findIndex(({ body }) => body.names?.some((name) => names.includes(name)))
    if (naming < 0) return undefined
    let weighed: Weighed | undefined
    for (const { row, body } of all.slice(naming)) {
      const planned = weighed?.state === 'held' ? undefined : weighed?.from
      const reason = body.supersession_reason ?? weighed?.reason ?? null
      weighed = { ...takesEffect(row, decidedAt(context), planned), reason }
    }
    return weighed
  }
}
