/** Answers an open question and applies the answer to its records (specification 4, context.resolve; SEMANTICS 6). */
import { z } from 'zod'
import { type DecideContext, defineOperation } from '../operation.ts'
import type { Documents } from '../ports/documents.ts'
import { invalid, problem } from '../problem.ts'
import { orderOfAcceptance } from '../receipts/receipt.ts'
import { textsIn } from '../receipts/secrets/texts.ts'
import type { QuestionBody } from '../records/body.ts'
import type { Audience, ReceiptId, WorkspaceId } from '../records/ids.ts'
import { recordOfQuestion } from '../records/named.ts'
import { entityOf, nothingChanged } from '../records/outcome.ts'
import { type Envelope, envelopeFields, type PrecedentRecord, type RecordOf, records } from '../records/record.ts'
import { currentOf, proposalOf } from '../records/revisions.ts'
import { idempotencyKey, text, visibility } from '../records/schema.ts'
import { covers } from '../records/supersession.ts'
import { visibleRows } from '../records/visible.ts'
import type { AnswerOutcome } from './answer-outcome.ts'
import { clarify } from './clarification.ts'
import { answerFact } from './fact.ts'
import { isApplicable } from './is-applicable.ts'
import { answerJudgment } from './judgment.ts'
import { isRetracted } from './retracted.ts'
import { chosenAudience, type SeenBy, seenBy } from './who-sees.ts'
import { questionChange } from './with-questions.ts'

/** Limit of one query; no decision has more revisions. */
const mostRevisions = 10_000

const resolutions = ['confirm', 'correct', 'dismiss', 'answer'] as const

const resolveInput = z
  .strictObject({
    question_id: text(1, 200).describe('From open_questions of a brief or a search.'),
    resolution: z
      .enum(resolutions)
      .describe(
        'confirm: the claim holds. correct: it does not, and note says what does. answer: note is the answer. dismiss: the question is not worth asking.',
      ),
    note: text(1, 20_000)
      .exactOptional()
      .describe(
        'Required for correct and answer: it replaces the claim. Visible to everyone who sees one of the records of the question; the Markdown of a brief says who that is.',
      ),
    visibility: visibility
      .exactOptional()
      .describe(
        'Visibility of the record made from the note; for correct and answer only. A question for fewer people than see all its records may be answered for them alone: then the note supersedes only their record, and the record that others see stays in force.',
      ),
    idempotency_key: idempotencyKey.exactOptional(),
  })
  .check((context) => {
    const { resolution, note, visibility } = context.value
    if (resolution === 'confirm' || resolution === 'dismiss') {
      if (visibility === undefined) return
      const message = `allowed only with correct and answer: ${resolution} creates no record; leave it out`
      context.issues.push({ code: 'custom', path: ['visibility'], message, input: visibility })
      return
    }
    if (note !== undefined) return
    const message = `is required for ${resolution}: say what is right instead`
    context.issues.push({ code: 'custom', path: ['note'], message, input: note })
  })
export type ResolveInput = z.output<typeof resolveInput>

export const resolve = defineOperation<ResolveInput>({
  name: 'context.resolve',
  scope: 'context:write',
  summary: 'Answers an open question and applies the answer to its records.',
  input: resolveInput,

  texts: ({ question_id, note }) => [...textsIn('note', note), ...textsIn('question_id', question_id)],

  async check({ input, actor, documents }) {
    const id = recordOfQuestion(actor.workspace, input.question_id)
    const [question] = await visibleRows(documents, actor, id, ['kind', 'audience', 'valid_to', 'body'])
    if (question?.kind !== 'question') throw noSuchQuestion()
    const { body } = question
    const about = await aboutOf(documents, actor.workspace, body)
    if (question.valid_to !== null || !isStillOpen(body, about)) {
      throw problem(
        'revision_conflict',
        'This question is closed: it was answered, or one of its records was replaced.',
      )
    }
    chosenAudience(input.visibility, seenByOf(question, about), actor, actor.workspaceType)
    if (input.resolution !== 'confirm' || body.reason !== 'contradiction') return
    const [newer, older] = about
    if (newer && older && !covers(newer.audience, older.audience)) {
      throw invalid(
        'resolution',
        'everyone who sees the older record must see the newer one: correct it with a note, which they see too',
      )
    }
  },

  async decide(context) {
    const { input, receipt, actor, state, at } = context
    const id = recordOfQuestion(receipt.workspace, input.question_id)
    const question = (await state.record(id)) && (await state.whole(id))
    if (question?.kind !== 'question' || !actor.audiences.includes(question.audience)) throw noSuchQuestion()
    const { body } = question
    const about = await Promise.all(
      body.about.map(async ({ record }) => aboutIn(await state.revisions(record), (row) => state.whole(row))),
    )
    if (question.valid_to !== null || !isStillOpen(body, about) || about.some((one) => isNewerThan(receipt, one))) {
      throw problem('question_closed', 'This question is closed: it was answered, or one of its records was replaced.')
    }
    const audience = chosenAudience(input.visibility, seenByOf(question, about), actor, context.workspaceType)
    const answered = await outcomeOf(context, question, audience)
    const answer = {
      resolution: input.resolution,
      note: input.note ?? null,
      by: actor.user,
      at,
      receipt: receipt.id,
      made: answered.made,
    }
    const closed = questionChange(question, { valid_to: at, body: { ...body, answer }, at })
    return { ...answered.outcome, changed: [...answered.outcome.changed, closed] }
  },
})

/** `rows`: the records of the question, in its order. */
function isStillOpen({ reason, about }: QuestionBody, rows: readonly (AboutNow | undefined)[]): boolean {
  return about.every((one, at) => {
    const row = rows[at]
    return row !== undefined && isApplicable(row, reason) && !isRetracted(reason, one, row.body)
  })
}

/** The proposal is newer than the answer, so the answer was not meant for it. */
function isNewerThan({ id }: { id: ReceiptId }, about: AboutNow | undefined): boolean {
  return about?.proposal !== undefined && about.proposal.accepted > orderOfAcceptance(id)
}

function seenByOf(
  { audience, body }: Pick<RecordOf<'question'>, 'audience' | 'body'>,
  about: readonly (AboutNow | undefined)[],
): SeenBy {
  return seenBy(
    body.reason,
    audience,
    about.flatMap((row) => row?.audience ?? []),
  )
}

/** `audience`: who sees the record made from a note. For a question about one record, those who see that record. */
function outcomeOf(
  context: DecideContext<ResolveInput>,
  question: RecordOf<'question'>,
  audience: Audience,
): Promise<AnswerOutcome> | AnswerOutcome {
  const { body } = question
  const form = body.question_id.split(':', 1)[0]
  if (form === 'judgment') return answerJudgment(context, body)
  if (context.input.resolution === 'dismiss') return dismissed(question)
  return form === 'fact' ? answerFact(context, body) : clarify(context, question, audience)
}

/** Closes the question and changes no record. */
function dismissed(question: RecordOf<'question'>): AnswerOutcome {
  return { outcome: { ...nothingChanged, entity: entityOf(question) }, made: null }
}

/** The current revision and the proposed revision beside it, if any. */
type AboutNow = PrecedentRecord & { proposal: Envelope | undefined }

/** The records of the question, in its order. */
async function aboutOf(documents: Documents, workspace: WorkspaceId, { about }: QuestionBody) {
  return Promise.all(
    about.map(async ({ record }) => {
      const where = { workspace, record_id: record }
      const rows = await documents.find(records, { where, limit: mostRevisions, fields: envelopeFields })
      const revisions = rows.sort((a, b) => (a.accepted < b.accepted ? -1 : 1))
      return aboutIn(revisions, (row) => documents.get(records, row))
    }),
  )
}

async function aboutIn(
  revisions: readonly Envelope[],
  whole: (row: string) => Promise<PrecedentRecord | undefined>,
): Promise<AboutNow | undefined> {
  const current = currentOf(revisions)
  const row = current && (await whole(current.id))
  return row && { ...row, proposal: proposalOf(revisions) }
}

function noSuchQuestion() {
  return problem('not_found', 'There is no open question with this question_id.')
}
