/** Applies an answer about part of a record, or about two records (SEMANTICS 6, form clarification). */
import { wholeOf } from '../journal/state.ts'
import type { DecideContext, Outcome } from '../operation.ts'
import { problem } from '../problem.ts'
import type { About, QuestionBody } from '../records/body.ts'
import type { Audience } from '../records/ids.ts'
import { outcomeAbout } from '../records/outcome.ts'
import type { Envelope, RecordOf } from '../records/record.ts'
import { withoutClaim } from '../records/superseded-claims.ts'
import { covers, superseded } from '../records/supersession.ts'
import { type AnswerOutcome, confirmation, memoryFromNote } from './answer-outcome.ts'
import { asksOfClaims } from './question.ts'
import type { ResolveInput } from './resolve.ts'

type Context = DecideContext<ResolveInput>

/** A record and the claim in it that the question is about. */
interface AskedRecord {
  row: Envelope
  about: About
}

/** `audience`: who sees the record made from a note. */
export async function clarify(
  context: Context,
  question: RecordOf<'question'>,
  audience: Audience,
): Promise<AnswerOutcome> {
  const { body } = question
  const asked = await Promise.all(
    body.about.map(
      async (about): Promise<AskedRecord> => ({ row: (await context.state.record(about.record)) as Envelope, about }),
    ),
  )
  if (context.input.resolution === 'confirm') return confirm(context, body, asked)
  return asksOfClaims(body.reason) ? answer(context, asked, audience) : explain(context, audience)
}

/** The claim shown is right. For a contradiction that is the newer claim: it supersedes the older one. */
async function confirm(context: Context, body: QuestionBody, asked: readonly AskedRecord[]): Promise<AnswerOutcome> {
  const [shown, other] = asked as [AskedRecord, AskedRecord | undefined]
  const change = await confirmation(context, shown.row, body.confidence)
  const outcome = outcomeAbout(shown.row, { changed: [change] })
  if (body.reason !== 'contradiction' || !other) return { outcome, made: null }
  if (!covers(shown.row.audience, other.row.audience)) {
    throw problem('superseded_invisible', 'Everyone who sees the older record must see the newer one.')
  }
  outcome.changed.push(...(await supersededBy(context, shown.row, other)))
  if (other.about.whole) change.set.supersedes = [...shown.row.supersedes, other.row.record_id]
  return { outcome, made: null }
}

/** The note becomes a memory for those who were asked. It supersedes nothing. */
function explain(context: Context, audience: Audience): AnswerOutcome {
  const row = memoryFromNote(context, context.input.note as string, audience, [])
  return { outcome: outcomeAbout(row, { created: [row] }), made: row.record_id }
}

/** The note supersedes what the question is about, except records that more people can see than the note. */
async function answer(context: Context, asked: readonly AskedRecord[], audience: Audience): Promise<AnswerOutcome> {
  const superseding = asked.filter(({ row }) => covers(audience, row.audience))
  const beside = asked.filter((one) => !superseding.includes(one)).map(({ row }) => row.record_id)
  const replaced = superseding.filter(({ about }) => about.whole).map(({ row }) => row)
  const row = memoryFromNote(context, context.input.note as string, audience, replaced, beside)
  const outcome = outcomeAbout(row, {
    created: [{ ...row, supersedes: replaced.map(({ record_id }) => record_id) }],
    changed: (await Promise.all(superseding.map((one) => supersededBy(context, row, one)))).flat(),
  })
  return { outcome, made: row.record_id }
}

/** Supersedes the record if the question is about all of it; otherwise only the claim, and the rest stays in force. */
async function supersededBy(
  { state, at }: Context,
  newer: Pick<Envelope, 'record_id' | 'valid_from'>,
  { row, about }: AskedRecord,
): Promise<Outcome['changed']> {
  if (about.whole) {
    const successor = { id: newer.record_id, valid_from: newer.valid_from, reason: null }
    return superseded(state, row, successor, at)
  }
  const whole = await wholeOf(state, row)
  const body = withoutClaim(whole.body, { claim: about.claim, by: newer.record_id })
  return [{ id: row.id, set: { body, updated_at: at } }]
}
