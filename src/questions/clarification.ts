/** An answer about part of a record, or about two records (SEMANTICS 6, form clarification). */
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

/** A record and what is asked about of it. */
interface AskedRecord {
  row: Envelope
  about: About
}

/** `audience`: who sees what a note becomes. */
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

/** The claim shown holds: of a contradiction the newer one, which takes the place of the other. */
async function confirm(context: Context, body: QuestionBody, asked: readonly AskedRecord[]): Promise<AnswerOutcome> {
  const [shown, other] = asked as [AskedRecord, AskedRecord | undefined]
  const said = await confirmation(context, shown.row, body.confidence)
  const outcome = outcomeAbout(shown.row, { changed: [said] })
  if (body.reason !== 'contradiction' || !other) return { outcome, made: null }
  if (!covers(shown.row.audience, other.row.audience)) {
    throw problem('superseded_invisible', 'Everyone who sees the older record must see the newer one.')
  }
  outcome.changed.push(...(await takenBy(context, shown.row, other)))
  if (other.about.whole) said.set.supersedes = [...shown.row.supersedes, other.row.record_id]
  return { outcome, made: null }
}

/** For those who were asked: it takes the place of nothing that others see. */
function explain(context: Context, audience: Audience): AnswerOutcome {
  const row = memoryFromNote(context, context.input.note as string, audience, [])
  return { outcome: outcomeAbout(row, { created: [row] }), made: row.record_id }
}

/** The note takes the place of all that is asked about; of what more people see than the note, it takes no place. */
async function answer(context: Context, asked: readonly AskedRecord[], audience: Audience): Promise<AnswerOutcome> {
  const taken = asked.filter(({ row }) => covers(audience, row.audience))
  const beside = asked.filter((one) => !taken.includes(one)).map(({ row }) => row.record_id)
  const replaced = taken.filter(({ about }) => about.whole).map(({ row }) => row)
  const row = memoryFromNote(context, context.input.note as string, audience, replaced, beside)
  const outcome = outcomeAbout(row, {
    created: [{ ...row, supersedes: replaced.map(({ record_id }) => record_id) }],
    changed: (await Promise.all(taken.map((one) => takenBy(context, row, one)))).flat(),
  })
  return { outcome, made: row.record_id }
}

/** A whole record is superseded; of a longer one the claim is, and the rest of it stays in force. */
async function takenBy(
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
