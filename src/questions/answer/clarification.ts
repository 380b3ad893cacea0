/** Applies an answer about part of a record, or about two records (SEMANTICS 6, form clarification). */

import type { DecideContext } from '../../deciding/context.ts'
import type { Outcome } from '../../deciding/outcome.ts'
import { outcomeAbout } from '../../deciding/outcome.ts'
import { wholeOf } from '../../deciding/state-at-head.ts'
import { covers, successorOf, superseded } from '../../deciding/supersession.ts'
import type { Audience } from '../../ids.ts'
import { problem } from '../../problem.ts'
import type { About, QuestionBody } from '../../records/body.ts'
import type { Envelope, RecordOf, Source } from '../../records/record.ts'
import { withoutClaim } from '../../records/superseded-claims.ts'
import { cut } from '../../records/title.ts'
import { asksOfClaims } from '../question.ts'
import { type AnswerOutcome, confirmation, memoryFromNote } from './answer-outcome.ts'
import type { ResolveInput } from './input.ts'

type Context = DecideContext<ResolveInput>

/** Code points of the title of a source. */
const longestCited = 500

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
  const isLoss = body.reason === 'loss_ledger_gap'
  if (context.input.resolution === 'confirm') return isLoss ? acknowledged(asked) : confirm(context, body, asked)
  if (asksOfClaims(body.reason)) return answer(context, asked, audience)
  return explain(context, audience, isLoss ? asked.map(({ row }) => citationOf(row)) : [])
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

/** Confirming that a decision failed does not confirm the decision. The question closes, and nothing else changes. */
function acknowledged([asked]: readonly AskedRecord[]): AnswerOutcome {
  return { outcome: outcomeAbout((asked as AskedRecord).row), made: null }
}

function citationOf({ kind, record_id, title }: Envelope): Source {
  return { type: kind, id: record_id, title: cut(title, longestCited), provenance: { class: 'decision' } }
}

/** The note becomes a memory for those who were asked. It supersedes nothing. */
function explain(context: Context, audience: Audience, cites: readonly Source[]): AnswerOutcome {
  const row = memoryFromNote(context, context.input.note as string, audience, [], { cites })
  return { outcome: outcomeAbout(row, { created: [row] }), made: row.record_id }
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
  const mutable = withoutClaim(whole.mutable, { claim: about.claim, by: newer.record_id })
  return [{ id: row.id, set: { mutable, updated_at: at } }]
}
