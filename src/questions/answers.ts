/** Reads the answers to questions: who gave them, when and why (SEMANTICS 6). */
import { z } from 'zod'
import type { RecordId } from '../ids.ts'
import type { Documents } from '../ports/documents.ts'
import { visibilityOf } from '../records/audience.ts'
import type { Answer, QuestionBody } from '../records/body.ts'
import { recordOfQuestion } from '../records/named.ts'
import { questionLinks } from '../records/projections/question-links.ts'
import type { RecordReader } from '../records/read/reader.ts'
import type { SeenRecord } from '../records/read/seen-record.ts'
import type { Envelope, RecordOf } from '../records/record.ts'
import { instant, text, uuid, visibility } from '../validation/schema.ts'
import { judgmentIdOf, questionIdOf } from './question.ts'
import { longestClaim, reasons } from './schema.ts'

export const answerResponse = z.strictObject({
  question_id: text(1, 200),
  reason: z.enum(reasons),
  claim: text(1, longestClaim),
  resolution: z.enum(['confirm', 'correct', 'dismiss', 'answer']),
  note: z.string().exactOptional(),
  answered_by: z.string().describe('The user, or key:<id>.'),
  answered_at: instant,
  made: uuid.exactOptional().describe('The memory or decision made from the note.'),
  visibility: visibility.exactOptional().describe('Who sees the memory or decision made from the note.'),
})
type AnswerResponse = z.output<typeof answerResponse>

/** The most answers shown for one record. */
const mostAnswers = 50

/** The answers to questions about this record, newest first. */
export async function answersOn(
  { record_id }: Pick<Envelope, 'record_id'>,
  reader: RecordReader,
  documents: Documents,
): Promise<AnswerResponse[]> {
  const { workspace, audiences } = reader
  // open questions too: they may have earlier answers
  const where = { workspace, record_id, audience: { in: audiences }, open: { in: [0, 1] } }
  const links = await documents.find(questionLinks, { where, limit: 4 * mostAnswers, fields: ['question'] })
  const rows = await reader.rows(
    links.map(({ question }) => question),
    ['kind', 'body', 'mutable'],
  )
  const answers = [...rows.values()].flatMap((row) => {
    // a question about old proposals no longer names those that were decided meanwhile
    return row.kind === 'question' && row.body.about.some((one) => one.record === record_id) ? answersIn(row) : []
  })
  // one answer may have closed several questions about the record
  const given = [...new Map(answers.map((one) => [`${one.answer.receipt}/${one.question_id}`, one])).values()]
  const made = await reader.records(given.flatMap(({ answer }) => answer.made ?? []))
  return given
    .map((one) => shownOf(one, one.answer.made === null ? undefined : made.get(one.answer.made)))
    .sort((a, b) => (a.answered_at < b.answered_at ? 1 : -1))
    .slice(0, mostAnswers)
}

/** The question that the answer was given to, and the answer. */
type Answered = Pick<QuestionBody, 'question_id' | 'reason' | 'claim'> & { answer: Answer }

function answersIn({ body, mutable }: Pick<RecordOf<'question'>, 'body' | 'mutable'>): Answered[] {
  const { question_id, reason, claim } = body
  const { answer, earlier = [] } = mutable
  const all = answer === null ? earlier : [...earlier, { claim, answer }]
  return all.map((one) => ({ question_id, reason, ...one, ...one.answer.given_to }))
}

function shownOf({ answer, ...asked }: Answered, made: SeenRecord | undefined): AnswerResponse {
  return {
    ...asked,
    resolution: answer.resolution,
    ...(answer.note === null ? {} : { note: answer.note }),
    answered_by: answer.by,
    answered_at: answer.at,
    ...(made === undefined ? {} : { made: made.record_id, visibility: visibilityOf(made.audience) }),
  }
}

type Reader = Pick<RecordReader, 'workspace' | 'rows'>

/** Those of `pairs` whose question about a contradiction was dismissed: both records hold. */
export function dismissedAmong<Pair extends readonly RecordId[]>(
  pairs: readonly Pair[],
  reader: Reader,
): Promise<Map<Pair, Answer>> {
  return dismissals(pairs, reader, (pair) => {
    const about = pair.map((record) => ({ record }))
    return questionIdOf({ form: 'clarification', reason: 'contradiction', about })
  })
}

/** The dismissals that rejected these proposals. A proposal that was rejected with others of its source has none. */
export function rejectionsOf(proposals: readonly RecordId[], reader: Reader): Promise<Map<RecordId, Answer>> {
  return dismissals(proposals, reader, judgmentIdOf)
}

/** The answers to the questions of these, if they dismissed the question. */
async function dismissals<Of>(of: readonly Of[], reader: Reader, questionIdOf: (one: Of) => string) {
  const ids = new Map(of.map((one) => [one, recordOfQuestion(reader.workspace, questionIdOf(one))]))
  const rows = await reader.rows([...ids.values()], ['kind', 'mutable'])
  return new Map(
    [...ids].flatMap(([one, id]): [Of, Answer][] => {
      const row = rows.get(id)
      const answer = row?.kind === 'question' ? row.mutable.answer : null
      return answer?.resolution === 'dismiss' ? [[one, answer]] : []
    }),
  )
}
