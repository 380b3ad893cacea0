/** Applies an answer about a record, part of it, or two records (SEMANTICS 6, forms fact and clarification). */

import { normalized } from '../../claims/normalized.ts'
import type { DecideContext } from '../../deciding/context.ts'
import type { Outcome } from '../../deciding/outcome.ts'
import { outcomeAbout } from '../../deciding/outcome.ts'
import { wholeOf } from '../../deciding/state-at-head.ts'
import { covers, decidedAt, later, successorOf, superseded } from '../../deciding/supersession.ts'
import type { Audience } from '../../ids.ts'
import { problem } from '../../problem.ts'
import type { About, QuestionBody } from '../../records/body.ts'
import type { Envelope, RecordOf, Source } from '../../records/record.ts'
import { withoutClaim } from '../../records/superseded-claims.ts'
import { cut } from '../../records/title.ts'
import { isApplicable } from '../is-applicable.ts'
import { asksOfClaims } from '../question.ts'
import { type AnswerOutcome, confirmation, memoryFromNote } from './answer-outcome.ts'
import type { ResolveInput } from './input.ts'
import { type Kept, keptBy } from './keep.ts'
import { undoSupersession } from './undo.ts'

type Context = DecideContext<ResolveInput>

/** Code points of the title of a source. */
const longestCited = 500

/** A record and the claim in it that the question is about. */
interface AskedRecord {
  row: Envelope
  about: About
}

/** `audience`: who sees the record made from a note. `same`: open questions that ask the same. */
export async function clarify(
  context: Context,
  question: RecordOf<'question'>,
  audience: Audience,
  same: readonly RecordOf<'question'>[],
): Promise<AnswerOutcome> {
  const { body } = question
  const asked = await askedIn(context, question, same)
  const kept = keptBy(context.input, body)
  if (kept) return keep(context, body, asked, kept)
  const isLoss = body.reason === 'loss_ledger_gap'
  if (context.input.resolution === 'confirm') return isLoss ? acknowledged(asked) : confirm(context, body, asked)
  if (asksOfClaims(body.reason)) return answer(context, asked, audience)
  const undone = await undoing(context, body, asked)
  return explain(context, audience, isLoss ? asked.map(({ row }) => citationOf(row)) : [], undone)
}

/** The records of the question first, in its order; then further ones of the questions that ask the same. */
async function askedIn({ state }: Context, question: RecordOf<'question'>, same: readonly RecordOf<'question'>[]) {
  const asked: AskedRecord[] = []
  for (const { body } of [question, ...same]) {
    for (const about of body.about) {
      if (asked.some(({ row }) => row.record_id === about.record)) continue
      const row = (await state.record(about.record)) as Envelope
      if (body === question.body || isApplicable(row, body.reason)) asked.push({ row, about })
    }
  }
  return asked
}

/** The claim shown is right. */
async function confirm(context: Context, body: QuestionBody, asked: readonly AskedRecord[]): Promise<AnswerOutcome> {
  const [shown] = asked as [AskedRecord]
  const change = await confirmation(context, shown.row, body.confidence)
  return { outcome: outcomeAbout(shown.row, { changed: [change] }), made: null }
}

/** Of the two claims of a contradiction, the kept one is confirmed and supersedes the other. */
async function keep(
  context: Context,
  body: QuestionBody,
  asked: readonly AskedRecord[],
  kept: Kept,
): Promise<AnswerOutcome> {
  const [newer, older, ...further] = asked as [AskedRecord, AskedRecord, ...AskedRecord[]]
  const [right, wrong] = kept === 'newer' ? [newer, older] : [older, newer]
  if (!covers(right.row.audience, wrong.row.audience)) {
    throw problem('superseded_invisible', 'Everyone who sees the replaced record must see the one that is kept.')
  }
  const change = await confirmation(context, right.row, body.confidence)
  const outcome = outcomeAbout(right.row, { changed: [change] })
  // an older record takes the place of the newer one from now on: until then, the newer one was in force
  const from = kept === 'newer' ? right.row.valid_from : decidedAt(context)
  const saysTheSame = further.filter(
    ({ row, about }) =>
      normalized(about.claim) === normalized(wrong.about.claim) && covers(right.row.audience, row.audience),
  )
  for (const one of [wrong, ...saysTheSame]) {
    outcome.changed.push(...(await supersededBy(context, { ...right.row, valid_from: from }, one)))
    if (one.about.whole) change.set.supersedes = [...(change.set.supersedes ?? right.row.supersedes), one.row.record_id]
  }
  return { outcome, made: null }
}

/** Correcting the question whether a supersession was meant undoes it. An `answer` only explains. */
async function undoing(context: Context, body: QuestionBody, [asked]: readonly AskedRecord[]) {
  if (body.reason !== 'high_grade_supersession' || context.input.resolution !== 'correct' || !asked) return undefined
  return undoSupersession(context, asked.row, body)
}

/** Confirming that a decision failed does not confirm the decision. The question closes, and nothing else changes. */
function acknowledged([asked]: readonly AskedRecord[]): AnswerOutcome {
  return { outcome: outcomeAbout((asked as AskedRecord).row), made: null }
}

function citationOf({ kind, record_id, title }: Envelope): Source {
  return { type: kind, id: record_id, title: cut(title, longestCited), provenance: { class: 'decision' } }
}

/** The note becomes a memory for those who were asked. It supersedes nothing. */
function explain(
  context: Context,
  audience: Audience,
  cites: readonly Source[],
  { created = [], changed = [], documents = {} }: Partial<Outcome> = {},
): AnswerOutcome {
  const row = memoryFromNote(context, context.input.note as string, audience, [], { cites })
  return { outcome: outcomeAbout(row, { created: [row, ...created], changed, documents }), made: row.record_id }
}

/** The note supersedes what the question is about, except records that more people can see than the note. */
async function answer(context: Context, asked: readonly AskedRecord[], audience: Audience): Promise<AnswerOutcome> {
  const superseding = asked.filter(({ row }) => covers(audience, row.audience))
  const beside = asked.filter((one) => !superseding.includes(one)).map(({ row }) => row.record_id)
  const replaced = superseding.filter(({ about }) => about.whole).map(({ row }) => row)
  const row = memoryFromNote(context, context.input.note as string, audience, replaced, { beside })
  const outcome = outcomeAbout(row, {
    created: [{ ...row, supersedes: replaced.map(({ record_id }) => record_id) }],
    changed: (await Promise.all(superseding.map((one) => supersededBy(context, row, one)))).flat(),
  })
  return { outcome, made: row.record_id }
}

/** Supersedes the record if the question is about all of it; otherwise only the claim, and the rest stays in force. */
async function supersededBy(
  { state, at }: Context,
  newer: Pick<Envelope, 'record_id' | 'valid_from' | 'audience'>,
  { row, about }: AskedRecord,
): Promise<Outcome['changed']> {
  if (about.whole) {
    return superseded(state, row, successorOf(newer), at)
  }
  const whole = await wholeOf(state, row)
  const mutable = withoutClaim(whole.mutable, {
    claim: about.claim,
    by: newer.record_id,
    since: later(row.valid_from, newer.valid_from),
  })
  return [{ id: row.id, set: { mutable, updated_at: at } }]
}
