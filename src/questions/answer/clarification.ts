/** Applies an answer about a record, part of it, or two records (SEMANTICS 6, forms fact and clarification). */

import { normalized } from '../../claims/normalized.ts'
import { type Kept, standsAlone, withQuestion } from '../../claims/note.ts'
import type { DecideContext } from '../../deciding/context.ts'
import { memoryRow } from '../../deciding/new-row.ts'
import { type NewRow, type Outcome, outcomeAbout } from '../../deciding/outcome.ts'
import { wholeOf } from '../../deciding/state-at-head.ts'
import { covers, decidedAt, later, successorOf, superseded, supersededBy } from '../../deciding/supersession.ts'
import { undoSupersession } from '../../deciding/undo-supersession.ts'
import type { Audience, RecordId } from '../../ids.ts'
import { problem } from '../../problem.ts'
import type { About, QuestionBody } from '../../records/body.ts'
import { normalisedHash } from '../../records/content-hash.ts'
import type { Envelope, RecordOf, Source } from '../../records/record.ts'
import { withoutClaim } from '../../records/superseded-claims.ts'
import { cut } from '../../records/title.ts'
import { isApplicable } from '../is-applicable.ts'
import { asksOfClaims, questionIdOf } from '../question.ts'
import { keptBy, type ResolveInput } from './input.ts'

type Context = DecideContext<ResolveInput>

/** Code points of the title of a source. */
const longestCited = 500

/** A record and the claim in it that the question is about. */
interface AskedRecord {
  row: Envelope
  about: About
  /** The question names it first: of a contradiction, it is the newer record. */
  isFirst: boolean
}

/** `audience`: who sees the record made from a note. `same`: open questions that ask the same. */
export async function clarify(
  context: Context,
  question: RecordOf<'question'>,
  audience: Audience,
  same: readonly RecordOf<'question'>[],
): Promise<Outcome> {
  const { body } = question
  const asked = await askedIn(context, question, same)
  const kept = keptBy(context.input, body)
  if (kept) return keep(context, body, asked, kept)
  if (context.input.resolution === 'confirm') return confirm(context, body, asked)
  return asksOfClaims(body.reason) ? answer(context, body, asked, audience) : explain(context, body, asked, audience)
}

/** The records of the question first, in its order; then further ones of the questions that ask the same. */
async function askedIn({ state }: Context, question: RecordOf<'question'>, same: readonly RecordOf<'question'>[]) {
  const asked: AskedRecord[] = []
  for (const { body } of [question, ...same]) {
    for (const [at, about] of body.about.entries()) {
      if (asked.some(({ row }) => row.record_id === about.record)) continue
      const row = (await state.record(about.record)) as Envelope
      if (body === question.body || isApplicable(row, body.reason)) asked.push({ row, about, isFirst: at === 0 })
    }
  }
  return asked
}

/** The claim shown is right. Confirming that a decision failed does not confirm the decision. */
async function confirm(context: Context, { reason, confidence }: QuestionBody, asked: readonly AskedRecord[]) {
  const [{ row }] = asked as [AskedRecord]
  const changed = reason === 'loss_ledger_gap' ? [] : [await confirmation(context, row, confidence)]
  return outcomeAbout(row, { changed })
}

/** Of the two claims of a contradiction, the kept one is confirmed and supersedes the other. */
async function keep(context: Context, body: QuestionBody, asked: readonly AskedRecord[], kept: Kept): Promise<Outcome> {
  const [newer, older, ...further] = asked as [AskedRecord, AskedRecord, ...AskedRecord[]]
  const [right, wrong] = kept === 'newer' ? [newer, older] : [older, newer]
  if (!covers(right.row.audience, wrong.row.audience)) {
    throw problem('superseded_invisible', 'Everyone who sees the replaced record must see the one that is kept.')
  }
  const change = await confirmation(context, right.row, body.confidence)
  const outcome = outcomeAbout(right.row, { changed: [change] })
  const saysTheSame = further.filter(
    ({ row, about }) =>
      normalized(about.claim) === normalized(wrong.about.claim) && covers(right.row.audience, row.audience),
  )
  for (const one of [wrong, ...saysTheSame]) {
    // what began after the kept record was in force until now
    const isLater = one.isFirst || one.row.valid_from >= right.row.valid_from
    const from = isLater ? decidedAt(context) : right.row.valid_from
    outcome.changed.push(...(await replacedBy(context, { ...right.row, valid_from: from }, one)))
    if (one.about.whole) change.set.supersedes = [...(change.set.supersedes ?? right.row.supersedes), one.row.record_id]
  }
  return outcome
}

/** The note becomes a memory for those who were asked. It supersedes nothing. */
async function explain(
  context: Context,
  body: QuestionBody,
  asked: readonly AskedRecord[],
  audience: Audience,
): Promise<Outcome> {
  const [{ row: shown }] = asked as [AskedRecord]
  const row = memoryFromNote(context, note(context), audience, [], {
    cites: body.reason === 'loss_ledger_gap' ? [citationOf(shown)] : [],
  })
  // a supersession that was not meant is undone; an `answer` only explains
  const isUndone = body.reason === 'high_grade_supersession' && context.input.resolution === 'correct'
  const older = isUndone ? await supersededIn(context, shown, body.question_id) : undefined
  const undone = older && (await undoSupersession(context, older, shown))
  return outcomeAbout(row, { ...undone, created: [row, ...(undone?.created ?? [])] })
}

/** The older decision of a supersession: the question names the newer one only, and its id is made of both. */
async function supersededIn({ state }: Context, newer: Envelope, questionId: string): Promise<Envelope | undefined> {
  const about = [{ record: newer.record_id }]
  for (const mark of await supersededBy(state, newer.record_id)) {
    const asked = { form: 'clarification', reason: 'high_grade_supersession', about, mark } as const
    if (questionIdOf(asked) === questionId) return state.record(mark)
  }
  return undefined
}

function citationOf({ kind, record_id, title }: Envelope): Source {
  return { type: kind, id: record_id, title: cut(title, longestCited), provenance: { class: 'decision' } }
}

/** The note supersedes what the question is about, except records that more people can see than the note. */
async function answer(
  context: Context,
  body: QuestionBody,
  asked: readonly AskedRecord[],
  audience: Audience,
): Promise<Outcome> {
  const superseding = asked.filter(({ row }) => covers(audience, row.audience))
  const beside = asked.filter((one) => !superseding.includes(one)).map(({ row }) => row.record_id)
  const replaced = superseding.filter(({ about }) => about.whole).map(({ row }) => row)
  const row = memoryFromNote(context, answered(context, body), audience, replaced, { beside })
  return outcomeAbout(row, {
    created: [{ ...row, supersedes: replaced.map(({ record_id }) => record_id) }],
    changed: (await Promise.all(superseding.map((one) => replacedBy(context, row, one)))).flat(),
  })
}

/** The note, after the explicit question that it answers if it means nothing without it, such as “No.” */
function answered(context: Context, { reason, claim }: QuestionBody): string {
  const said = note(context)
  return reason !== 'explicit_question' || standsAlone(said, [claim]) ? said : withQuestion(claim, said)
}

const note = ({ input }: Context) => input.note as string

/** Supersedes the record if the question is about all of it; otherwise only the claim, and the rest stays in force. */
async function replacedBy(
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

/** The change to a record that a person confirmed. It halves the doubt: confidence moves half way to 1. */
async function confirmation(
  { state, at }: Context,
  row: Envelope,
  defaultConfidence: number,
): Promise<Outcome['changed'][number]> {
  const { mutable } = await wholeOf(state, row)
  const before = row.confidence ?? defaultConfidence
  const confidence = Math.round((before + (1 - before) / 2) * 1000) / 1000
  return { id: row.id, set: { confidence, updated_at: at, mutable: { ...mutable, confirmed_at: at } } }
}

/**
 * The note as a memory with this text. Of the `replaced` records, it corrects those that all readers of the note can see.
 * `beside`: records that it contradicts but leaves in force. `cites`: its sources in addition to the answer.
 */
function memoryFromNote(
  context: Context,
  text: string,
  audience: Audience,
  replaced: readonly Pick<Envelope, 'kind' | 'record_id' | 'audience' | 'topics'>[],
  { beside = [], cites = [] }: { beside?: readonly RecordId[]; cites?: readonly Source[] },
): NewRow {
  // for other records, the memory must reveal neither a topic nor that they exist
  const corrects = replaced.filter((row) => covers(row.audience, audience))
  const memory = corrects.find(({ kind }) => kind === 'memory')
  const kind = memory ? 'correction' : 'fact'
  return memoryRow(context, {
    text,
    audience,
    // the answer of a person
    sources: [{ type: 'conversation', provenance: { class: 'conversation' } }, ...cites],
    topics: [...new Set(corrects.flatMap(({ topics }) => topics))].slice(0, 50),
    content_hash: normalisedHash([kind, text, '', '']),
    body: {
      memory_kind: kind,
      ...(memory ? { corrects: memory.record_id } : {}),
      ...(beside.length > 0 ? { beside: [...beside] } : {}),
    },
  })
}
