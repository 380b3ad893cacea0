/** The judgment of a proposal: taken, replaced by another decision, or rejected (SEMANTICS 6, form judgment). */
import type { DecideContext, NewRow, Outcome } from '../operation.ts'
import { exactHash } from '../records/content-hash.ts'
import { type RecordId, uuidPattern } from '../records/ids.ts'
import type { DecisionBody, Envelope, PrecedentRecord } from '../records/record.ts'
import { withAllClaims } from '../records/superseded-claims.ts'
import { covers, isSupersededBy, later, newEnds, plannedBy, superseded, takesEffect } from '../records/supersession.ts'
import type { QuestionBody } from './question.ts'
import type { ResolveInput } from './resolve.ts'
import { entityOf, nothingChanged, type Settled } from './settled.ts'

type Context = DecideContext<ResolveInput>

export async function settleJudgment(context: Context, { about }: QuestionBody): Promise<Settled> {
  const { input, state } = context
  const proposal = (await state.record((about[0] as (typeof about)[number]).record)) as Envelope
  if (input.resolution === 'confirm') return accepted(context, proposal)
  if (input.resolution === 'dismiss') return rejected(context, proposal)
  return replaced(context, (await state.whole(proposal.id)) as PrecedentRecord)
}

/** It holds from now on, and what it was to supersede is superseded. */
async function accepted(context: Context, proposal: Envelope): Promise<Settled> {
  const taken: Envelope = { ...proposal, status: 'accepted', valid_from: context.receipt.accepted_at }
  const held = await takeHeld(context, taken)
  const set = {
    status: taken.status,
    valid_from: taken.valid_from,
    updated_at: context.at,
    ...(held.supersedes.length > 0 ? { supersedes: [...proposal.supersedes, ...held.supersedes] } : {}),
  }
  const revisions = await context.state.revisions(proposal.record_id)
  const ends = newEnds([...revisions.slice(0, -1), taken], proposal.successors, context.at)
  const changed = [{ id: proposal.id, set }, ...ends, ...held.changed]
  const entity = entityOf(proposal)
  return { outcome: { ...nothingChanged, entity, correctable: true, changed, links: held.links }, made: null }
}

/** Found as what it is; its end tells it from a decision that was recorded as rejected, and sync says so. */
function rejected({ receipt, at }: Context, proposal: Envelope): Settled {
  const valid_to = later(proposal.valid_from, receipt.accepted_at)
  const changed = [{ id: proposal.id, set: { status: 'rejected' as const, valid_to, updated_at: at } }]
  return { outcome: { ...nothingChanged, entity: entityOf(proposal), correctable: true, changed }, made: null }
}

/** The note is what was decided instead. What the proposal was to supersede is left as it is: the note may mean to keep it. */
async function replaced(context: Context, proposal: PrecedentRecord): Promise<Settled> {
  const row = decisionOf(context, proposal)
  const successor = { id: row.record_id, valid_from: row.valid_from, reason: null }
  const outcome: Outcome = {
    ...nothingChanged,
    entity: entityOf(row),
    correctable: true,
    created: [row],
    changed: await superseded(context.state, proposal, successor, context.at),
  }
  return { outcome, made: row.record_id }
}

/** The links that were held until the proposal is accepted, and what an earlier revision was to supersede later. */
async function takeHeld({ state, at }: Context, taken: Envelope) {
  const held: Pick<Outcome, 'changed' | 'links'> & { supersedes: RecordId[] } = {
    changed: [],
    links: [],
    supersedes: [],
  }
  for (const link of await state.linksOf(taken.record_id)) {
    const { workspace: _, entry: __, ...draft } = link
    const { from } = takesEffect(taken, taken.valid_from, plannedBy(link))
    const target = uuidPattern.test(link.target)
      ? await state.record(link.target as RecordId)
      : (await state.withExternalId(link.audiences, link.target)).find((row) => row.kind === 'decision')
    if (!target) {
      held.links.push({ ...draft, state: 'target', due: from })
      continue
    }
    held.links.push({ ...draft, state: 'closed' })
    const isVoid = target.record_id === taken.record_id || !covers(taken.audience, target.audience)
    if (isVoid || (await isSupersededBy(state, taken.record_id, target.record_id))) continue
    const successor = { id: taken.record_id, valid_from: from, reason: link.reason }
    held.changed.push(...(await superseded(state, target, successor, at)))
    held.supersedes.push(target.record_id)
  }
  return held
}

function decisionOf({ input, receipt, actor, at, newId }: Context, proposal: PrecedentRecord): NewRow {
  const id = newId()
  const note = input.note as string
  const { seq: _, ...rest } = proposal
  const body: DecisionBody = {
    // what the proposal withdrew of itself the note may well say
    ...withAllClaims(proposal.body as DecisionBody),
    judgment: note,
    rationale: null,
    consequences: null,
    decided_by: [],
    supersession_reason: null,
    names: [],
    void_links: [],
  }
  return {
    ...rest,
    id,
    record_id: id,
    revision: 1,
    text: note,
    status: 'accepted',
    valid_from: receipt.accepted_at,
    valid_to: null,
    successors: [],
    superseded_by: null,
    supersedes: [proposal.record_id],
    sources: [],
    confidence: null,
    external_id: null,
    content_hash: exactHash(note),
    created_at: receipt.accepted_at,
    created_by: actor.user,
    updated_at: at,
    accepted: `${receipt.accepted_at}/${receipt.id}`,
    body: { ...body, context: null },
  }
}
