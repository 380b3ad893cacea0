/** Links each question to the records that it names. Reads find open questions by these links (SEMANTICS 6). */

import type { Audience, RecordId, WorkspaceId } from '../../ids.ts'
import type { Collection } from '../../ports/documents.ts'
import { recordsNamedBy } from '../body.ts'
import type { RecordOf, RowChange } from '../record.ts'
import { defineProjection } from './projection.ts'

/** One for each question and each of its records; written by projection. */
export interface QuestionLink {
  /** `<record>/<question>`, so that projecting twice writes one link. */
  id: string
  workspace: WorkspaceId
  /** Audience of the question. */
  audience: Audience
  record_id: RecordId
  question: RecordId
  /** 1 until it is answered or its record is no longer in force. */
  open: number
  /** Ascending order shows the highest score first; of equal scores, the newest question. */
  rank: number
  /** Sequence of the question's last change. */
  seq: number
}

export const questionLinks: Collection<QuestionLink> = {
  // the stored name: renaming it would need a migration of every store
  name: 'bearings',
  fields: {
    id: 'string',
    workspace: 'string',
    audience: 'string',
    record_id: 'string',
    question: 'string',
    open: 'integer',
    rank: 'integer',
    seq: 'integer',
  },
  unique: [],
  indexes: [
    ['workspace', 'record_id', 'audience', 'open', 'rank', 'id'],
    ['workspace', 'audience', 'open', 'rank', 'id'],
    // open questions of a kind in all workspaces
    ['open', 'rank', 'id'],
  ],
}

/** For a new row of kind question. */
export function questionLinksOf(row: RecordOf<'question'>): QuestionLink[] {
  const rank = rankOf(row.body.score, row.created_at)
  const { workspace, audience, seq, record_id: question } = row
  const open = row.valid_to === null ? 1 : 0
  return recordsNamedBy(row.body).map((record) => {
    return { id: questionLinkId(record, question), workspace, audience, record_id: record, question, open, rank, seq }
  })
}

export function questionLinkId(record: RecordId, question: RecordId): string {
  return `${record}/${question}`
}

type ChangedLink = Pick<QuestionLink, 'id' | 'open' | 'seq'> & { rank?: number }

/** A change to a question includes its kind and its records, so no question is read. */
export const projectQuestionLinks = defineProjection({
  writes: [questionLinks],
  write(writes, { records: changes }) {
    const asked = changes.flatMap((change) =>
      change.type === 'new' && change.row.kind === 'question' ? questionLinksOf(change.row) : [],
    )
    if (asked.length > 0) writes.insertMany(questionLinks, asked)
    // updates run in any order: keep only the last of two changes to one link
    const moved = new Map<string, ChangedLink>()
    for (const link of changes.flatMap(changedLinksOf)) moved.set(link.id, { ...moved.get(link.id), ...link })
    if (moved.size === 0) return
    writes.updateEach(
      questionLinks,
      [...moved.values()].map(({ id, ...set }) => ({ id, change: { set }, condition: { seq: { lt: set.seq } } })),
    )
  },
})

function changedLinksOf(change: RowChange): ChangedLink[] {
  if (change.type !== 'changed' || change.set.kind !== 'question') return []
  const { seq, id } = change
  const { valid_to, body, created_at, mutable } = change.set
  const named = body && new Set(recordsNamedBy(body))
  // a question that is asked again may have another score, and may no longer name a record
  const rank = body === undefined ? {} : { rank: rankOf(body.score, created_at) }
  return mutable.records.map((record) => {
    const open = valid_to === null && (named?.has(record) ?? true) ? 1 : 0
    return { id: questionLinkId(record, id as RecordId), open, seq, ...rank }
  })
}

/** Later than any instant, in ms since 1970: the year 2286. */
const end = 10_000_000_000_000

/** The ranks of questions with these scores: from the first, inclusive, to the second, exclusive. */
export function ranksOf({ least, most }: { least: number; most: number }): { from: number; to: number } {
  return { from: (100 - Math.round(most * 100)) * end, to: (102 - Math.round(least * 100)) * end }
}

/** Orders by score (rounded to a hundredth), then by newest. */
function rankOf(score: number, at: string): number {
  return (100 - Math.round(score * 100)) * end + Math.max(0, end - Date.parse(at))
}
