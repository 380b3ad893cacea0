/**
 * decision.supersede: another decision takes the place of this one. It exists already, or is recorded in the same entry.
 * The rules of SEMANTICS 1 hold for both.
 */
import { z } from 'zod'
import type { DecideContext } from '../deciding/context.ts'
import { waitingLinksOf } from '../deciding/links.ts'
import { type Outcome, outcomeAbout } from '../deciding/outcome.ts'
import { assertRevision } from '../deciding/revision.ts'
import { wholeOf } from '../deciding/state-at-head.ts'
import {
  covers,
  decidedAt,
  earliestPlanned,
  headOfChain,
  isSupersededBy,
  successorOf,
  superseded,
  takesEffect,
} from '../deciding/supersession.ts'
import { uuidPattern } from '../ids.ts'
import { defineOperation } from '../operation.ts'
import { invalid, problem } from '../problem.ts'
import { audienceFor } from '../records/audience.ts'
import { linkOf, movedLink } from '../records/link.ts'
import type { EnvelopeOf } from '../records/read/visible.ts'
import { textsIn } from '../secrets/texts.ts'
import { idempotencyKey, ifRevision, text, uuid } from '../validation/schema.ts'
import { type DecisionInput, decisionBounds, decisionInput } from './input.ts'
import { checkDecision, recordDecision } from './record.ts'
import { textsOf } from './row.ts'

const supersedeInput = z
  .strictObject({
    id: uuid.describe('The decision that is replaced.'),
    superseded_by: uuid
      .exactOptional()
      .describe('The id of the decision that takes its place. Exactly one of superseded_by and decision is required.'),
    decision: decisionInput
      .omit({ idempotency_key: true })
      .exactOptional()
      .describe('The decision that takes its place, to be recorded in the same step.'),
    reason: text(1, decisionBounds.supersessionReason)
      .exactOptional()
      .describe('Why it is replaced. It wins over supersession_reason of the decision.'),
    if_revision: ifRevision,
    idempotency_key: idempotencyKey.exactOptional(),
  })
  .check((context) => {
    const { superseded_by, decision } = context.value
    const refuse = (path: string[], message: string) =>
      context.issues.push({ code: 'custom', path, message, input: context.value })
    if (superseded_by === undefined && decision === undefined) {
      refuse(['superseded_by'], 'is required unless decision is given: name the decision that takes its place')
    } else if (superseded_by !== undefined && decision !== undefined) {
      refuse(['decision'], 'must be left out if superseded_by is given')
    } else if (decision?.status === 'proposed' || decision?.status === 'rejected') {
      refuse(
        ['decision', 'status'],
        'must be accepted or deprecated: a decision that was not made supersedes nothing. Record a proposal with supersedes instead',
      )
    }
  })
type SupersedeInput = z.output<typeof supersedeInput>
type Context = DecideContext<SupersedeInput>

export const supersedeDecision = defineOperation<SupersedeInput>({
  name: 'decision.supersede',
  scope: 'context:write',
  summary: 'Replaces a decision by another one, which exists or is recorded in the same step.',
  format: 2,
  raisesQuestions: true,
  input: supersedeInput,

  texts: ({ decision, reason }) => [
    ...(decision ? textsOf(decision).map((one) => ({ ...one, place: `decision.${one.place}` })) : []),
    ...textsIn('reason', reason),
  ],

  async check({ input, actor, documents, visible }) {
    const older = await visible(input.id, 'decision', 'id')
    assertRevision(older, input.if_revision)
    if (input.superseded_by !== undefined) {
      const newer = await visible(input.superseded_by, 'decision', 'superseded_by')
      if (!covers(newer.audience, older.audience)) throw invalid('superseded_by', seenByAll)
    }
    if (input.decision === undefined) return
    const audience = audienceFor(input.decision.visibility, actor, actor.workspaceType)
    if (!covers(audience, older.audience)) throw invalid('decision.visibility', seenByAll)
    await checkDecision({ input: input.decision, actor, documents }, 'decision')
  },

  lookups: (input, actor, workspaceType) =>
    input.decision ? (recordDecision.lookups?.(input.decision, actor, workspaceType) ?? {}) : {},

  async decide(context) {
    const { input, state, actor } = context
    const older = await context.visible(input.id, 'decision', 'id')
    assertRevision(older, input.if_revision)
    if (older.superseded_by !== null) {
      const head = await wholeOf(state, await headOfChain(state, older, actor.audiences))
      throw problem(
        'already_superseded',
        'This decision was superseded before. Supersede its newest successor instead.',
        {
          details: { head: { type: head.kind, id: head.record_id, title: head.title } },
        },
      )
    }
    if (input.decision) return recordDecision.decide({ ...context, input: replacementOf(input, input.decision) })
    const newer = await context.visible(input.superseded_by as string, 'decision', 'superseded_by')
    return supersedeBy(context, older, newer)
  },
})

const seenByAll = 'everyone who sees the older decision must see the newer one'

/** The decision to record, which names the older one first. */
function replacementOf({ id, reason }: SupersedeInput, decision: DecisionInput): DecisionInput {
  const why = reason ?? decision.supersession_reason
  return {
    ...decision,
    supersedes: [...new Set([id, ...decision.supersedes])],
    ...(why === undefined ? {} : { supersession_reason: why }),
  }
}

type Decision = EnvelopeOf<'decision'>

/** Both exist. As with a decision that names the older one in `supersedes`, the date of the newer one counts. */
async function supersedeBy(context: Context, older: Decision, newer: Decision): Promise<Outcome> {
  const { input, state, actor, at } = context
  if (newer.record_id === older.record_id || (await isSupersededBy(state, newer.record_id, older.record_id))) {
    throw problem('would_cycle', 'The decision would supersede itself.')
  }
  if (!covers(newer.audience, older.audience)) throw problem('superseded_invisible', `${seenByAll}.`)
  const isSeen = covers(older.audience, newer.audience)
  const waiting = (await waitingLinksOf(state, newer.record_id)).filter(({ target }) =>
    // an external_id waits for a decision that everyone who sees the newer one sees, and never has the form of an id
    target === older.external_id ? isSeen && !uuidPattern.test(target) : target === older.record_id,
  )
  const reason = input.reason ?? waiting[0]?.reason ?? null
  const effect = takesEffect(newer, decidedAt(context), earliestPlanned(waiting))
  const link = linkOf({
    successor: newer.record_id,
    target: older.record_id,
    target_kind: 'decision',
    due: effect.from,
    state: effect.state === 'on_hold' ? 'on_hold' : 'dated',
    audiences: [...actor.audiences],
    reason,
  })
  const closed = waiting.map((one) => movedLink(one, { state: 'closed' }))
  // one link stands for all that wait: else each would take effect
  const others = closed.filter(({ id }) => id !== link.id)
  if (effect.state !== 'now') return outcomeAbout(newer, { documents: { links: [...others, link] } })
  const changed = await superseded(state, older, successorOf(newer, effect.from, reason), at)
  // some who see the newer decision don't see the older one: its row must not name it
  if (!isSeen) {
    return outcomeAbout(newer, { changed, documents: { links: [...others, { ...link, state: 'taken' }] } })
  }
  changed.push({ id: newer.id, set: { supersedes: [...newer.supersedes, older.record_id], updated_at: at } })
  return outcomeAbout(newer, { changed, documents: { links: closed } })
}
