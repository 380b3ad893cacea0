/**
 * question.list: all open questions that the caller may see, page by page, in the order of priority and reason. Each
 * reason has a narrow range of scores, so each part of the list is read from a range of ranks.
 */
import assert from 'node:assert/strict'
import { z } from 'zod'
import { listFields, listOutput, openList } from '../access/list.ts'
import { feedEpoch } from '../access/settings.ts'
import { defineQuery, type Reads } from '../operation.ts'
import { visibilityOf } from '../records/audience.ts'
import type { Priority, Reason } from '../records/body.ts'
import { isUndated } from '../records/imported.ts'
import { recordOfQuestion } from '../records/named.ts'
import { titleWithStatus } from '../records/present/present.ts'
import { type QuestionLink, ranksOf } from '../records/projections/question-links.ts'
import { type RecordReader, recordReader } from '../records/read/reader.ts'
import type { SeenRecord } from '../records/read/seen-record.ts'
import type { Envelope } from '../records/record.ts'
import { atMost, characters, instant, text, uuid, visibility } from '../validation/schema.ts'
import { byRank, eachAskedOnce, openOf, openQuestion, type ShownQuestion } from './open.ts'
import { type LastRead, openLinkPages, openLinks } from './open-links.ts'
import { scoresOf } from './priority.ts'
import {
  isAboutOldProposals,
  isJudgment,
  type OpenQuestion,
  openQuestion as openQuestionSchema,
  priorities,
  reasons,
} from './schema.ts'

const listQuestionsInput = z.strictObject({
  reason: atMost(reasons.length, z.array(z.enum(reasons)).min(1))
    .exactOptional()
    .describe('Only questions with one of these reasons.'),
  question_id: characters(1, 200)
    .exactOptional()
    .describe('Only the question with this id. The list is empty if it is not open, or if you may not see it.'),
  ...listFields,
})
type Input = z.output<typeof listQuestionsInput>

const namedRecord = z.strictObject({
  kind: z.enum(['memory', 'decision']),
  id: uuid,
  title: text(1, 500),
  occurred_at: instant.describe('When it was decided or proposed, or since when it is valid.'),
  undated: z.literal(true).exactOptional().describe('occurred_at is the instant of its import: its file has no date.'),
  claim: z.string().describe('What is in question, verbatim.'),
})

const listedQuestion = openQuestionSchema.extend({
  records: z
    .array(namedRecord)
    .describe('The memories and decisions that it is about; of a contradiction the newer record first.'),
  visibility: visibility.describe('Who sees the question: those who see all of its records.'),
  answer_visibility: visibility.describe(
    'Who sees the record that is made from the note of an answer, unless the answer sends the visibility of the question.',
  ),
  proposals: z
    .int()
    .min(1)
    .exactOptional()
    .describe('Of a question about old proposals: how many it names. An answer applies to all of them.'),
})
export type ListedQuestion = z.output<typeof listedQuestion>

const listQuestionsOutput = listOutput(listedQuestion)
export type QuestionList = z.output<typeof listQuestionsOutput>

/** Links read for one page, approximately: a page may be short and still have a cursor. */
const mostExamined = 1_000
/** Links read at once. */
const linksAtOnce = 100

/** The part of the list that is read, and the last link of it that was examined. */
interface Position {
  priority: Priority
  reason: Reason
  after?: LastRead
}
type Part = Pick<Position, 'priority' | 'reason'>

export const listQuestions = defineQuery<Input, QuestionList>({
  name: 'question.list',
  scope: 'context:read',
  summary: 'All open questions that you may see, by priority and reason.',
  input: listQuestionsInput,
  output: listQuestionsOutput,

  async run({ input, actor, reads }) {
    const reader = recordReader(reads.documents, actor, reads.clock)
    const epoch = await feedEpoch(reads.documents, () => reads.clock.id())
    const wanted = input.reason ?? reasons
    if (input.question_id !== undefined) return onlyWithId(input.question_id, wanted, reader)
    const list = openList<Position>(reads, actor, `question.list ${epoch}`, input)
    const where = { workspace: reader.workspace, audience: { in: reader.audiences } }
    const items: ListedQuestion[] = []
    let examined = 0
    for (const part of partsFrom(list.position, wanted)) {
      // other parts may have scores in this range too
      const ranks = ranksOf(scoresOf(part.reason))
      let after = list.position && isSame(list.position, part) ? list.position.after : undefined
      const pageHere = () => list.page(items, { ...part, ...(after && { after }) })
      for await (const links of openLinkPages(reads.documents, where, { size: linksAtOnce, ranks, after })) {
        const open = await byLink(links, wanted, reader, reads.documents)
        for (const { id, rank } of links) {
          const shown = open.get(id)
          if (shown && isSame(shown.question as Part, part)) {
            if (items.length === input.limit) return pageHere()
            items.push(listed(shown))
          }
          after = { rank, id }
        }
        examined += links.length
        if (examined >= mostExamined) return pageHere()
      }
    }
    return list.page(items, undefined)
  },
})

async function onlyWithId(id: string, wanted: readonly Reason[], reader: RecordReader): Promise<QuestionList> {
  const shown = await openQuestion(id, reader)
  const isWanted = shown !== undefined && wanted.includes(shown.question.reason as Reason)
  return { items: isWanted ? [listed(shown)] : [], has_more: false }
}

function listed({ question, seenBy, about, claims }: ShownQuestion): ListedQuestion {
  return {
    ...question,
    records: about.map((record) => namedIn(revisionAsked(question, record), claims.get(record.record_id) as string)),
    visibility: visibilityOf(seenBy.question),
    answer_visibility: visibilityOf(seenBy.answer),
    ...(isAboutOldProposals(question) ? { proposals: about.length } : {}),
  }
}

/** A judgment asks about the proposal, which may be a revision beside the one in force. */
function revisionAsked(question: OpenQuestion, record: SeenRecord): Envelope {
  return (isJudgment(question) && record.proposal) || record
}

function namedIn(record: Envelope, claim: string): ListedQuestion['records'][number] {
  const { record_id: id, kind, valid_from: occurred_at } = record
  assert(kind === 'memory' || kind === 'decision', 'questions are about memories and decisions')
  return {
    kind,
    id,
    title: titleWithStatus(record),
    occurred_at,
    ...(isUndated(record) && { undated: true as const }),
    claim,
  }
}

/** The parts of the list from this position on, in order. */
function partsFrom(position: Position | undefined, wanted: readonly Reason[]): Part[] {
  const all = priorities.flatMap((priority) => reasons.map((reason) => ({ priority, reason })))
  const first = position === undefined ? 0 : all.findIndex((part) => isSame(part, position))
  return all.slice(first).filter(({ reason }) => wanted.includes(reason))
}

function isSame(one: Part, other: Part): boolean {
  return one.priority === other.priority && one.reason === other.reason
}

/**
 * A question has a link for each record that it names: it is listed at the first of them, so that it is listed once. Of
 * those that ask the same, also in another part of the list, only the best is listed.
 */
async function byLink(
  links: readonly QuestionLink[],
  wanted: readonly Reason[],
  reader: RecordReader,
  documents: Reads['documents'],
): Promise<Map<string, ShownQuestion>> {
  const records = [...new Set(links.map(({ record_id }) => record_id))]
  const where = { workspace: reader.workspace, record_id: { in: records }, audience: { in: reader.audiences } }
  const beside = await openLinks(documents, where, { size: mostExamined })
  const all = await openOf([...beside, ...links].sort(byRank), reader)
  const open = new Map<string, ShownQuestion>()
  for (const shown of eachAskedOnce(all.filter(({ question }) => wanted.includes(question.reason as Reason)))) {
    open.set(recordOfQuestion(reader.workspace, shown.question.question_id), shown)
  }
  return new Map(
    links.flatMap((link): [string, ShownQuestion][] => {
      const shown = open.get(link.question)
      const first = shown?.about.map(({ record_id }) => record_id).sort()[0]
      return shown && first === link.record_id ? [[link.id, shown]] : []
    }),
  )
}
