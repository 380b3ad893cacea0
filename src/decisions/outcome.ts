/**
 * decision.outcome: how a decision worked out. The decision does not change. An outcome is a separate record, about all
 * revisions of the decision. The decision's current row holds the leading one.
 */
import assert from 'node:assert/strict'
import type { DecideContext } from '../deciding/context.ts'
import { facetsOf, followingOutcomes } from '../deciding/facets.ts'
import { newRow } from '../deciding/new-row.ts'
import { type NewRow, outcomeAbout, type RowUpdate } from '../deciding/outcome.ts'
import { assertRevision } from '../deciding/revision.ts'
import { wholeOf } from '../deciding/state-at-head.ts'
import { defineOperation } from '../operation.ts'
import { invalid, problem } from '../problem.ts'
import { orderOfAcceptance } from '../receipt.ts'
import type { DecisionBody, DecisionMutable } from '../records/body.ts'
import { exactHash } from '../records/content-hash.ts'
import type { EnvelopeOf } from '../records/read/visible.ts'
import type { Envelope } from '../records/record.ts'
import { isOnlyProposed } from '../records/revisions.ts'
import { cut } from '../records/title.ts'
import { textsIn } from '../secrets/texts.ts'
import { canonicalJson } from '../text/canonical.ts'
import { type OutcomeInput, outcomeInput } from './outcome-input.ts'

type Context = DecideContext<OutcomeInput>
type Decision = EnvelopeOf<'decision'>
type Leading = NonNullable<DecisionMutable['outcome']>

/** Code points of the leading outcome's notes that the row of the decision keeps. Each change of the row stores them. */
const mostKept = 2_000
/** ms that the clock of a caller may be ahead of ours. */
const clockDifference = 5 * 60_000

export const recordOutcome = defineOperation<OutcomeInput>({
  name: 'decision.outcome',
  scope: 'context:write',
  summary: 'Records how a decision worked out. The decision itself does not change.',
  format: 2,
  raisesQuestions: true,
  input: outcomeInput,

  texts: ({ outcome_notes, sources }) => [...textsIn('outcome_notes', outcome_notes), ...textsIn('sources', sources)],

  async check({ input, visible }) {
    assertDecided(await visible(input.id, 'decision', 'id'), input)
  },

  async decide(context) {
    const { input, state, at } = context
    const decision = await context.visible(input.id, 'decision', 'id')
    assertDecided(decision, input)
    const whole = await wholeOf(state, decision)
    assert(whole.kind === 'decision', 'a record keeps its kind')
    const { outcome: before } = whole.mutable
    if (before && isRepeated(before, input)) return outcomeAbout(decision)
    const observed_at = observedAt(context)
    const kept = before && isLater(before, observed_at, context) ? before : undefined
    const after: Decision = { ...decision, outcome_status: kept?.status ?? input.outcome_status }
    const row = outcomeRow(context, after, whole.body, observed_at)
    const outcome = { ...(kept ?? leadingOf(row, input)), count: (before?.count ?? 0) + 1 }
    const mutable: DecisionMutable = { ...whole.mutable, outcome }
    return outcomeAbout(decision, {
      created: [row],
      changed: [
        { id: decision.id, set: { mutable, outcome_status: after.outcome_status, updated_at: at } },
        ...(await otherRevisions(after, context)),
        ...(await followingOutcomes(state, after, at)),
      ],
    })
  },
})

/** Their changes: a search finds each revision by the leading outcome. */
async function otherRevisions(
  { id, record_id, outcome_status }: Decision,
  { state, at }: Context,
): Promise<RowUpdate[]> {
  const others = (await state.revisions(record_id)).filter((row) => row.id !== id)
  return others
    .filter((row) => row.outcome_status !== outcome_status)
    .map((row) => ({ id: row.id, set: { outcome_status, updated_at: at } }))
}

function assertDecided(decision: Envelope, { if_revision }: OutcomeInput): void {
  assertRevision(decision, if_revision)
  if (!isOnlyProposed(decision)) return
  throw problem('not_decided', `The decision is ${decision.status}: only one that was decided has an outcome.`)
}

function observedAt({ input, receipt }: Context): string {
  const observed_at = input.observed_at ?? receipt.accepted_at
  if (Date.parse(observed_at) > Date.parse(receipt.accepted_at) + clockDifference) {
    throw invalid('observed_at', 'must not be in the future: an outcome is recorded once it was observed')
  }
  return observed_at
}

function outcomeRow(context: Context, decision: Decision, body: DecisionBody, observed_at: string): NewRow {
  const { input } = context
  return newRow(context, {
    ...facetsOf(decision, body),
    record_id: context.newId(),
    kind: 'outcome',
    audience: decision.audience,
    title: decision.title,
    text: input.outcome_notes ?? '',
    valid_from: observed_at,
    sources: input.sources,
    content_hash: contentHashOf(input),
    body: { decision: decision.record_id, outcome_status: input.outcome_status },
  })
}

function leadingOf(
  { record_id, valid_from, accepted, content_hash }: NewRow,
  input: OutcomeInput,
): Omit<Leading, 'count'> {
  return {
    id: record_id,
    status: input.outcome_status,
    notes: input.outcome_notes ? cut(input.outcome_notes, mostKept) : null,
    observed_at: valid_from,
    accepted,
    content_hash,
  }
}

/** The leading outcome already says the same. An input without a date means that it still holds. */
function isRepeated(leading: Leading, input: OutcomeInput): boolean {
  if (leading.content_hash !== contentHashOf(input)) return false
  return !input.observed_at || input.observed_at === leading.observed_at
}

/** Observed later; of equals, accepted later. */
function isLater(leading: Leading, observed_at: string, { receipt }: Context): boolean {
  if (leading.observed_at !== observed_at) return leading.observed_at > observed_at
  return leading.accepted > orderOfAcceptance(receipt.id)
}

/** Without the date. Equal only for inputs that say the same. */
function contentHashOf({ outcome_status, outcome_notes, sources }: OutcomeInput): string {
  return exactHash(canonicalJson({ outcome_status, outcome_notes: outcome_notes ?? null, sources }))
}
