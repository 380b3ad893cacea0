/**
 * Records a decision whose external_id exists already (PROTOCOL 2.10). An unchanged one makes no revision. A changed
 * one makes a revision that is one of three: current; pending, if it is only proposed and the current one is decided;
 * or historic, if its receipt was accepted before that of the current one.
 */
import assert from 'node:assert/strict'
import type { DecideContext } from '../deciding/context.ts'
import { followingOutcomes } from '../deciding/facets.ts'
import type { NewRow, Outcome } from '../deciding/outcome.ts'
import { entityOf, outcomeAbout } from '../deciding/outcome.ts'
import { wholeOf } from '../deciding/state-at-head.ts'
import { decidedAt, newEnds, takesEffect } from '../deciding/supersession.ts'
import { takenOver } from '../deciding/taken-over.ts'
import type { Audience } from '../ids.ts'
import { invalid } from '../problem.ts'
import type { DecisionBody } from '../records/body.ts'
import type { Envelope } from '../records/record.ts'
import { isOnlyProposed, linksOf } from '../records/revisions.ts'
import type { DecisionInput } from './input.ts'
import { decisionRow } from './row.ts'
import { type EffectWithReason, type EvaluateEffect, supersedeTargets, superseding } from './supersedes.ts'

export async function revise(
  context: DecideContext<DecisionInput>,
  current: Envelope,
  audience: Audience,
): Promise<Outcome> {
  const revisions = await context.state.revisions(current.record_id)
  if (revisions.length >= mostRevisions) throw tooManyRevisions()
  const number = Math.max(...revisions.map((row) => row.revision)) + 1
  const { record_id: id, outcome_status } = current
  const row = decisionRow(context, { id, revision: number, audience, outcome_status })
  const before = revisions.findLast((revision) => revision.accepted < row.accepted)
  const after = revisions.find((revision) => revision.accepted > row.accepted)
  if ((before ?? after)?.content_hash === row.content_hash) return outcomeAbout(revisions.at(-1) as Envelope)
  if (after) return lateRevision(context, row, current, revisions)
  const isPending = isOnlyProposed(row) && !isOnlyProposed(current)
  return isPending
    ? pendingRevision(context, row, current, revisions)
    : currentRevision(context, row, current, revisions)
}

/** The most revisions of one decision. To decide a new one, all of them are read. */
const mostRevisions = 500

function tooManyRevisions() {
  const remedy = 'record a decision under another external_id that supersedes it'
  return invalid('external_id', `this decision has ${mostRevisions} revisions, and can have no more: ${remedy}`)
}

/** The new revision becomes current. A superseded decision stays superseded when it is revised. */
async function currentRevision(
  context: DecideContext<DecisionInput>,
  row: NewRow,
  current: Envelope,
  revisions: readonly Envelope[],
): Promise<Outcome> {
  const ends = newEnds([...revisions, row], current.successors, context.at)
  const inherited = await withTakenOver(context, { ...row, ...linksOf(current), ...endOf(row, ends) }, current)
  const outcome = superseding(inherited, await supersedeTargets(context, inherited))
  const following = await followingOutcomes(context.state, inherited, context.at, context.input)
  return { ...outcome, changed: [replaced(current, context), ...others(row, ends), ...following, ...outcome.changed] }
}

/**
 * The decided revision stays current and in force. The new one is only proposed: it waits, together with what it is to
 * supersede, and replaces an earlier proposal.
 */
async function pendingRevision(
  context: DecideContext<DecisionInput>,
  row: NewRow,
  current: Envelope,
  revisions: readonly Envelope[],
): Promise<Outcome> {
  const ends = newEnds([...revisions, row], current.successors, context.at)
  const waiting: NewRow = { ...row, ...linksOf(current), feed: 'none', ...endOf(row, ends) }
  const reason = context.input.supersession_reason ?? null
  // supersessions that are in effect or planned already stay unchanged
  const evaluate: EvaluateEffect = (_, from) =>
    from === undefined ? { ...takesEffect(row, decidedAt(context)), reason } : undefined
  const outcome = superseding(waiting, await supersedeTargets(context, waiting, evaluate))
  return { ...outcome, changed: [...others(row, ends), ...outcome.changed] }
}

/**
 * The receipt was accepted before that of a revision decided earlier: the other lane was faster. The result is the same
 * as if the revisions had been decided in the order of acceptance.
 */
async function lateRevision(
  context: DecideContext<DecisionInput>,
  row: NewRow,
  current: Envelope,
  revisions: readonly Envelope[],
): Promise<Outcome> {
  const inOrder = [...revisions, row].sort((a, b) => (a.accepted < b.accepted ? -1 : 1))
  const ends = newEnds(inOrder, current.successors, context.at)
  const linked: NewRow = { ...row, ...linksOf(current), ...endOf(row, ends) }
  const own = await withTakenOver(context, linked, current)
  const supersessions = await supersedeTargets(context, own, await effectOfAllRevisions(context, row, inOrder))
  const leads = inOrder.findLast((one) => !isOnlyProposed(one)) === row
  if (leads) {
    // every revision accepted after it is only proposed
    const outcome = superseding(own, supersessions)
    const following = await followingOutcomes(context.state, own, context.at, context.input)
    return { ...outcome, changed: [replaced(current, context), ...others(row, ends), ...following, ...outcome.changed] }
  }
  const historic: NewRow = { ...row, feed: 'none', ...endOf(row, ends) }
  const outcome = superseding(historic, { ...supersessions, row: {} })
  const gained = supersessions.row.supersedes
    ? [{ id: current.id, set: { supersedes: supersessions.row.supersedes, updated_at: context.at } }]
    : []
  return { ...outcome, changed: [...others(row, ends), ...outcome.changed, ...gained], entity: entityOf(current) }
}

/** The row that becomes current, with what it takes over from the current one. */
async function withTakenOver({ state }: DecideContext<DecisionInput>, row: NewRow, current: Envelope): Promise<NewRow> {
  assert(row.kind === 'decision', 'every revision of a decision is one')
  return { ...row, mutable: await takenOver(state, row, current) }
}

function replaced({ id }: Envelope, { at }: DecideContext<DecisionInput>): Outcome['changed'][number] {
  return { id, set: { feed: 'none', updated_at: at } }
}

type Ends = ReturnType<typeof newEnds>

function endOf(row: NewRow, ends: Ends): Pick<NewRow, 'valid_to'> {
  return { valid_to: ends.find(({ id }) => id === row.id)?.set.valid_to ?? null }
}

function others(row: NewRow, ends: Ends): Ends {
  return ends.filter(({ id }) => id !== row.id)
}

/** Uses all revisions that name the target, because revisions accepted later may change the date of the effect. */
async function effectOfAllRevisions(
  context: DecideContext<DecisionInput>,
  row: NewRow,
  inOrder: readonly (Envelope | NewRow)[],
): Promise<EvaluateEffect> {
  const all: { row: Envelope | NewRow; body: DecisionBody; isDismissed: boolean }[] = []
  for (const one of inOrder) {
    const whole = one.id === row.id ? row : await wholeOf(context.state, one)
    assert(whole.kind === 'decision', 'every revision of a decision is one')
    all.push({ row: one, body: whole.body, isDismissed: whole.mutable.dismissed === true })
  }
  return (names) => {
    let effect: EffectWithReason | undefined
    for (const { row, body, isDismissed } of all) {
      const isNamed = body.names?.some((name) => names.includes(name)) === true
      const planned = effect?.state === 'on_hold' ? undefined : effect?.from
      // a revision that is only proposed changes no date
      if (planned === undefined ? !effect && !isNamed : isOnlyProposed(row)) continue
      const reason = body.supersession_reason ?? effect?.reason ?? null
      effect = { ...takesEffect(row, decidedAt(context), planned), reason }
      if (effect.state === 'on_hold' && isDismissed) effect = undefined
    }
    return effect
  }
}
