/** Answers an open question and applies the answer to its records (specification 4, context.resolve; SEMANTICS 6). */
import assert from 'node:assert/strict'
import type { DecideContext } from '../../deciding/context.ts'
import { entityOf, nothingChanged, type Outcome } from '../../deciding/outcome.ts'
import { wholeOf } from '../../deciding/state-at-head.ts'
import { covers } from '../../deciding/supersession.ts'
import type { Audience, RecordId } from '../../ids.ts'
import { defineOperation } from '../../operation.ts'
import { invalid, problem } from '../../problem.ts'
import { orderOfAcceptance } from '../../receipt.ts'
import type { Answer, QuestionBody } from '../../records/body.ts'
import { recordOfQuestion } from '../../records/named.ts'
import { type Envelope, envelopeFields, type PrecedentRecord, type RecordOf, records } from '../../records/record.ts'
import { currentOf, proposalOf } from '../../records/revisions.ts'
import { textsIn } from '../../secrets/texts.ts'
import { isApplicable, isRetracted } from '../is-applicable.ts'
import { closing } from '../question.ts'
import { sameQuestions } from '../same.ts'
import { isAboutOldProposals, isJudgment } from '../schema.ts'
import { chosenAudience, seenBy } from '../who-sees.ts'
import { clarify } from './clarification.ts'
import { closedProblem } from './closed.ts'
import { checkNote, keptBy, type ResolveInput, resolveInput } from './input.ts'
import { answerJudgment, answerOldProposals } from './judgment.ts'

/** Limit of one query; no decision has more revisions. */
const mostRevisions = 10_000

export const resolve = defineOperation<ResolveInput>({
  name: 'context.resolve',
  scope: 'context:write',
  summary: 'Answers an open question and applies the answer to its records.',
  raisesQuestions: true,
  input: resolveInput,

  texts: ({ question_id, note }) => [...textsIn('note', note), ...textsIn('question_id', question_id)],

  async check({ input, actor, documents, visible }) {
    const id = recordOfQuestion(actor.workspace, input.question_id)
    const asked = await visible(id, 'question', 'question_id')
    const question = await documents.get(records, asked.id, ['kind', 'audience', 'valid_to', 'body', 'mutable'])
    assert(question?.kind === 'question', 'rows are never deleted')
    const { body } = question
    const revisionsOf = async (record_id: RecordId) => {
      const where = { workspace: actor.workspace, record_id }
      const rows = await documents.find(records, { where, limit: mostRevisions, fields: envelopeFields })
      return rows.sort((one, other) => (one.accepted < other.accepted ? -1 : 1))
    }
    const about = await aboutNow(body, revisionsOf, (row) => documents.get(records, row))
    assertOpen('revision_conflict', question, about, actor)
    chosenAudience(input.visibility, seenBy(body.reason, question.audience, about), actor, actor.workspaceType)
    checkNote(input, body)
    checkKept(input, body, about)
  },

  async decide(context) {
    const { input, receipt, actor, state, at } = context
    const id = recordOfQuestion(receipt.workspace, input.question_id)
    const question = await wholeOf(state, await context.visible(id, 'question', 'question_id'))
    assert(question.kind === 'question', 'a record keeps its kind')
    const { body } = question
    const about = await aboutNow(
      body,
      (record) => state.revisions(record),
      (row) => state.whole(row),
    )
    assertOpen('question_closed', question, about, actor)
    // then the answer was not meant for it
    if (about.some(({ proposal }) => proposal && proposal.accepted > orderOfAcceptance(receipt.id))) {
      throw problem(
        'question_closed',
        `The question ${body.question_id} is about a newer proposal now, which was recorded after this answer. Read it and answer again.`,
      )
    }
    const audience = chosenAudience(
      input.visibility,
      seenBy(body.reason, question.audience, about),
      actor,
      context.workspaceType,
    )
    const same = await sameQuestions(state, question)
    const outcome = await outcomeOf(context, question, audience, same)
    const made = outcome.created.find(({ record_id }) => record_id === outcome.entity?.id)
    const answer: Answer = {
      resolution: input.resolution,
      note: input.note ?? null,
      by: actor.user,
      at,
      receipt: receipt.id,
      made: made?.record_id ?? null,
    }
    // `confirm` may mean the contrary there: it keeps the newer claim of the question that was answered
    const { question_id, reason, claim } = body
    const answerOfSame: Answer = { ...answer, given_to: { question_id, reason, claim } }
    const closed = [
      closing(question, at, { mutable: { ...question.mutable, answer } }),
      ...same.map((one) => closing(one, at, { mutable: { ...one.mutable, answer: answerOfSame } })),
    ]
    return { ...outcome, changed: [...outcome.changed, ...closed] }
  },
})

/** Everyone who sees the replaced record must see the kept one. */
function checkKept(input: ResolveInput, body: QuestionBody, [newer, older]: readonly Envelope[]): void {
  const kept = keptBy(input, body)
  if (!kept || !newer || !older) return
  const [right, wrong] = kept === 'newer' ? [newer, older] : [older, newer]
  if (!covers(right.audience, wrong.audience)) {
    const field = input.resolution === 'confirm' ? 'resolution' : 'note'
    const other = kept === 'newer' ? 'older' : 'newer'
    throw invalid(
      field,
      `everyone who sees the ${other} record must see the ${kept} one: correct it with a note, which they see too`,
    )
  }
  if (input.visibility === undefined) return
  throw invalid('visibility', `must be left out if the ${kept} claim is kept: no record is made from the note`)
}

/** Throws if the question is closed. `about`: its records, in its order. */
function assertOpen(
  code: 'revision_conflict' | 'question_closed',
  question: Asked,
  about: readonly AboutNow[],
  actor: Parameters<typeof closedProblem>[2],
): void {
  const { body, valid_to, mutable } = question
  // the judgment of an old proposal that is asked about together with others can still be answered alone
  const isClosed = valid_to !== null && !(isJudgment(body) && mutable.answer === null)
  const isOpen = body.about.every((one, at) => {
    const row = about[at] as AboutNow
    return isApplicable(row, body.reason) && !isRetracted(body.reason, one, row.mutable)
  })
  if (isClosed || !isOpen) throw closedProblem(code, question, actor)
}

/** `audience`: who sees the record made from a note. For a question about one record, those who see that record. */
function outcomeOf(
  context: DecideContext<ResolveInput>,
  question: RecordOf<'question'>,
  audience: Audience,
  same: readonly RecordOf<'question'>[],
): Promise<Outcome> | Outcome {
  const { body } = question
  if (isAboutOldProposals(body)) return answerOldProposals(context, question)
  if (isJudgment(body)) return answerJudgment(context, body)
  if (context.input.resolution === 'dismiss') return { ...nothingChanged, entity: entityOf(question) }
  return clarify(context, question, audience, same)
}

type Asked = Pick<RecordOf<'question'>, 'audience' | 'body' | 'valid_to' | 'mutable'>

/** The current revision and the proposed revision beside it, if any. */
type AboutNow = PrecedentRecord & { proposal: Envelope | undefined }

/** The records of the question, in its order. `revisionsOf`: in the order of acceptance. */
function aboutNow(
  { about }: QuestionBody,
  revisionsOf: (record: RecordId) => Promise<readonly Envelope[]>,
  whole: (row: string) => Promise<PrecedentRecord | undefined>,
): Promise<AboutNow[]> {
  return Promise.all(
    about.map(async ({ record }) => {
      const revisions = await revisionsOf(record)
      const row = await whole(currentOf(revisions)?.id ?? '')
      assert(row, 'rows are never deleted')
      return { ...row, proposal: proposalOf(revisions) }
    }),
  )
}
