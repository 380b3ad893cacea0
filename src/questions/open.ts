/** Reads the open questions about some records, or about all records that the actor sees (SEMANTICS 6). */
import type { RecordId } from '../ids.ts'
import type { Reads } from '../operation.ts'
import { chunks } from '../ports/chunks.ts'
import { bodyOf, type QuestionBody, type Reason, recordsNamedBy } from '../records/body.ts'
import { recordOfQuestion } from '../records/named.ts'
import type { Presenting } from '../records/present/present.ts'
import { type QuestionLink, ranksOf } from '../records/projections/question-links.ts'
import type { RecordReader } from '../records/read/reader.ts'
import type { SeenRecord } from '../records/read/seen-record.ts'
import type { PrecedentRecord } from '../records/record.ts'
import { isApplicableAt } from './is-applicable.ts'
import { openLinkPages, openLinks } from './open-links.ts'
import { scoresOf } from './priority.ts'
import { whatIsAsked } from './same.ts'
import { mostQuestions, type OpenQuestion } from './schema.ts'
import { type SeenBy, seenBy } from './who-sees.ts'

interface Reading {
  reads: Pick<Reads, 'documents'>
  presenting: Pick<Presenting, 'reader'>
}

export interface ShownQuestion {
  question: OpenQuestion
  seenBy: SeenBy
  /** The records that it is about. */
  about: SeenRecord[]
  /** The claim in question of each of them, by record_id. */
  claims: ReadonlyMap<RecordId, string>
  /** Equal for questions that ask the same of the same people. undefined: no other one does. */
  asks: string | undefined
}

/** Records of one query, and questions that it returns. */
const recordsAtOnce = 200
const questionsAtOnce = 200
/** Links read when all records are asked for, and of them at once. Links whose record has expired since are skipped. */
const mostLinksRead = 400
const pageLength = 40

/**
 * Best first. Leaves out answered questions and those whose record is no longer in force. `reason`: only questions with this
 * reason.
 */
export async function openQuestionsOn(
  { reads, presenting: { reader } }: Reading,
  rows: readonly Pick<PrecedentRecord, 'record_id'>[],
  limit = Number.POSITIVE_INFINITY,
  reason?: Reason,
): Promise<ShownQuestion[]> {
  const { workspace, audiences } = reader
  const pages = { size: questionsAtOnce, ...(reason && { ranks: ranksOf(scoresOf(reason)) }) }
  const links: QuestionLink[] = []
  for (const ids of chunks([...new Set(rows.map((row) => row.record_id))], recordsAtOnce)) {
    const where = { workspace, record_id: { in: ids }, audience: { in: audiences } }
    links.push(...(await openLinks(reads.documents, where, pages)))
  }
  const open = await openOf(links.sort(byRank), reader)
  // other reasons may have the same scores
  return open.filter(({ question }) => reason === undefined || question.reason === reason).slice(0, limit)
}

/** The best 10 about all records that the actor sees, each asked once. */
export async function mostUrgentQuestions({ reads, presenting: { reader } }: Reading): Promise<ShownQuestion[]> {
  let found: ShownQuestion[] = []
  const seen = new Set<RecordId>()
  const where = { workspace: reader.workspace, audience: { in: reader.audiences } }
  let read = 0
  for await (const page of openLinkPages(reads.documents, where, { size: pageLength })) {
    const fresh = page.filter(({ question }) => !seen.has(question))
    found = eachAskedOnce([...found, ...(await openOf(fresh, reader))])
    for (const { question } of page) seen.add(question)
    read += page.length
    if (found.length >= mostQuestions || read >= mostLinksRead) break
  }
  return found.slice(0, mostQuestions)
}

/** The question with this id. undefined: it is not open, or the actor does not see it or one of its records. */
export async function openQuestion(questionId: string, reader: RecordReader): Promise<ShownQuestion | undefined> {
  const question = recordOfQuestion(reader.workspace, questionId)
  return (await openOf([{ question }], reader))[0]
}

/** Of those that ask the same of the same people about one of the same records only the first: its answer closes the others. */
export function eachAskedOnce(shown: readonly ShownQuestion[]): ShownQuestion[] {
  const before = new Map<string, RecordId[]>()
  return shown.filter(({ asks, about }) => {
    if (asks === undefined) return true
    const ids = about.map(({ record_id }) => record_id)
    const asked = before.get(asks) ?? []
    before.set(asks, [...asked, ...ids])
    return !ids.some((id) => asked.includes(id))
  })
}

/** The questions of these links that are open, in their order. */
export async function openOf(
  found: readonly Pick<QuestionLink, 'question'>[],
  reader: RecordReader,
): Promise<ShownQuestion[]> {
  const ids = [...new Set(found.map(({ question }) => question))]
  const rows = await reader.rows(ids, ['kind', 'body', 'valid_to', 'audience'])
  const asked = ids.flatMap((id) => {
    const row = rows.get(id)
    return row && row.valid_to === null ? [{ body: bodyOf(row, 'question'), audience: row.audience }] : []
  })
  const records = await reader.records(asked.flatMap(({ body }) => recordsNamedBy(body)))
  return asked.flatMap(({ body, audience }) => {
    const about = body.about.flatMap(({ record }) => records.get(record) ?? [])
    const isSeen = about.length === body.about.length
    if (!isSeen || !about.every((one) => isApplicableAt(one, body.reason, reader.now))) return []
    const claims = new Map(body.about.map(({ record, claim }) => [record, claim]))
    const same = whatIsAsked(body)
    const asks = same && `${audience} ${same}`
    return [{ question: shownOf(body), seenBy: seenBy(body.reason, audience, about), about, claims, asks }]
  })
}

function shownOf({ question_id, claim, priority, confidence, reason, score, subject }: QuestionBody): OpenQuestion {
  return { question_id, claim, priority, confidence, reason, score, subject }
}

export function byRank(a: QuestionLink, b: QuestionLink): number {
  return a.rank - b.rank || (a.id < b.id ? -1 : 1)
}
