/** Links each question to the records it is about. Reads find open questions by these links (SEMANTICS 6). */

import type { Audience, RecordId, WorkspaceId } from '../../ids.ts'
import type { Collection } from '../../ports/documents.ts'
import type { RecordOf } from '../record.ts'
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
  ],
}

/** For a new row of kind question. */
export function questionLinksOf(row: RecordOf<'question'>): QuestionLink[] {
  const { about, score } = row.body
  const rank = rankOf(score, row.created_at)
  const { workspace, audience, seq, record_id: question } = row
  const open = row.valid_to === null ? 1 : 0
  return about.map(({ record }) => {
    return { id: questionLinkId(record, question), workspace, audience, record_id: record, question, open, rank, seq }
  })
}

export function questionLinkId(record: RecordId, question: RecordId): string {
  return `${record}/${question}`
}

/** A change to a question includes its kind, so the row need not be read. */
export const projectQuestionLinks = defineProjection({
  writes: [questionLinks],
  write(writes, { records: changes }) {
    const asked = changes.flatMap((change) =>
      change.type === 'new' && change.row.kind === 'question' ? questionLinksOf(change.row) : [],
    )
    if (asked.length > 0) writes.insertMany(questionLinks, asked)
    // updates run in any order: keep only the last of two changes to one question
    const moved = new Map(
      changes.flatMap((change) => {
        if (change.type !== 'changed' || change.set.kind !== 'question') return []
        const { valid_to, body, created_at, mutable } = change.set
        // a question that is asked again may have another score
        const rank = body === undefined ? {} : { rank: rankOf(body.score, created_at) }
        const set = { open: valid_to === null ? 1 : 0, seq: change.seq, ...rank }
        return mutable.records.map((record) => [questionLinkId(record, change.id as RecordId), set] as const)
      }),
    )
    if (moved.size === 0) return
    writes.updateEach(
      questionLinks,
      [...moved].map(([id, set]) => ({ id, change: { set }, condition: { seq: { lt: set.seq } } })),
    )
  },
})

/** Later than any instant, in ms since 1970: the year 2286. */
const end = 10_000_000_000_000

/** Orders by score (rounded to a hundredth), then by newest. */
function rankOf(score: number, at: string): number {
  return (100 - Math.round(score * 100)) * end + Math.max(0, end - Date.parse(at))
}
