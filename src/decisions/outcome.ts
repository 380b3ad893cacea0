/**
 * decision.outcome: how a decision worked out. The decision stays as it is. An outcome is a record of its own, of all
 * revisions of the decision; the decision's current row keeps the leading one.
 */
import assert from 'node:assert/strict'
import { z } from 'zod'
import type { DecideContext } from '../deciding/context.ts'
import { newRow } from '../deciding/new-row.ts'
import { type NewRow, outcomeAbout } from '../deciding/outcome.ts'
import { assertRevision } from '../deciding/revision.ts'
import { wholeOf } from '../deciding/state-at-head.ts'
import { defineOperation } from '../operation.ts'
import { invalid, problem } from '../problem.ts'
import { type DecisionMutable, outcomeStatuses } from '../records/body.ts'
import { exactHash } from '../records/content-hash.ts'
import type { EnvelopeOf } from '../records/read/visible.ts'
import type { Envelope } from '../records/record.ts'
import { isOnlyProposed } from '../records/revisions.ts'
import { cut } from '../records/title.ts'
import { textsIn } from '../secrets/texts.ts'
import { canonicalJson } from '../text/canonical.ts'
import {
  idempotencyKey,
  ifRevision,
  instant,
  listOf,
  mostTextCharacters,
  sourceReference,
  text,
  uuid,
} from '../validation/schema.ts'

const outcomeInput = z.strictObject({
  id: uuid.describe('The decision.'),
  outcome_status: z.enum(outcomeStatuses).describe('How the decision worked out.'),
  outcome_notes: text(1, mostTextCharacters).exactOptional().describe('What happened, and what was learned.'),
  observed_at: instant
    .exactOptional()
    .describe('When it was observed. The outcome observed last leads. Left out: when the service accepts it.'),
  sources: listOf(sourceReference).describe('Where it is documented.'),
  if_revision: ifRevision,
  idempotency_key: idempotencyKey.exactOptional(),
})
type OutcomeInput = z.output<typeof outcomeInput>
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
    const row = outcomeRow(context, decision)
    const count = (before?.count ?? 0) + 1
    const outcome = before && isLater(before, row) ? { ...before, count } : { ...leadingOf(row, input), count }
    const mutable: DecisionMutable = { ...whole.mutable, outcome }
    return outcomeAbout(decision, {
      created: [row],
      changed: [{ id: decision.id, set: { mutable, updated_at: at } }],
    })
  },
})

function assertDecided(decision: Envelope, { if_revision }: OutcomeInput): void {
  assertRevision(decision, if_revision)
  if (!isOnlyProposed(decision)) return
  throw problem('not_decided', `The decision is ${decision.status}: only one that was decided has an outcome.`)
}

function outcomeRow(context: Context, decision: Decision): NewRow {
  const { input, receipt } = context
  const { audience, category, significance, surface, entities } = decision
  const observed_at = input.observed_at ?? receipt.accepted_at
  if (Date.parse(observed_at) > Date.parse(receipt.accepted_at) + clockDifference) {
    throw invalid('observed_at', 'must not be in the future: an outcome is recorded once it was observed')
  }
  return newRow(context, {
    // filters of a search apply to the outcome as to its decision
    ...{ audience, category, significance, surface, entities },
    record_id: context.newId(),
    kind: 'outcome',
    title: decision.title,
    text: input.outcome_notes ?? '',
    valid_from: observed_at,
    sources: input.sources,
    content_hash: contentHashOf(input),
    body: { decision: decision.record_id, outcome_status: input.outcome_status },
    mutable: {},
  })
}

function leadingOf(
  { record_id, valid_from, accepted, content_hash }: NewRow,
  input: OutcomeInput,
): Omit<Leading, 'count'> {
  return {
    id: record_id,
    status: input.outcome_status,
    notes: input.outcome_notes === undefined ? null : cut(input.outcome_notes, mostKept),
    observed_at: valid_from,
    accepted,
    content_hash,
  }
}

/** The leading outcome says the same already. Without a date the input says that it is still so. */
function isRepeated(leading: Leading, input: OutcomeInput): boolean {
  if (leading.content_hash !== contentHashOf(input)) return false
  return input.observed_at === undefined || input.observed_at === leading.observed_at
}

/** Observed later; of equals, accepted later. */
function isLater(leading: Leading, row: NewRow): boolean {
  if (leading.observed_at !== row.valid_from) return leading.observed_at > row.valid_from
  return leading.accepted > row.accepted
}

/** Without the date. Equal only for inputs that say the same. */
function contentHashOf({ outcome_status, outcome_notes, sources }: OutcomeInput): string {
  return exactHash(canonicalJson({ outcome_status, outcome_notes: outcome_notes ?? null, sources }))
}
