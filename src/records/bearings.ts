/** Which questions bear on which records: what open questions are found by, of some records or of all (SEMANTICS 6). */
import type { RowChange } from '../journal/entry.ts'
import type { Collection, Writes } from '../ports/documents.ts'
import type { Audience, RecordId, WorkspaceId } from './ids.ts'
import type { RecordOf } from './record.ts'

/** One for each question and each record that it is about; made and moved on by projection. */
export interface Bearing {
  /** `<record>/<question>`: projecting twice makes it once. */
  id: string
  workspace: WorkspaceId
  /** Of the question. */
  audience: Audience
  record_id: RecordId
  question: RecordId
  /** 1 until it is answered or its record is no longer in force. */
  open: number
  /** Ascending: the best first, of equals the newest. */
  rank: number
  /** Sequence of the question's last change. */
  seq: number
}

export const bearings: Collection<Bearing> = {
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

/** Of a new row of kind question. */
export function bearingsOf(row: RecordOf<'question'>): Bearing[] {
  const { about, score } = row.body
  const rank = rankOf(score, row.created_at)
  const { workspace, audience, seq, record_id: question } = row
  const open = row.valid_to === null ? 1 : 0
  return about.map(({ record }) => {
    return { id: bearingId(record, question), workspace, audience, record_id: record, question, open, rank, seq }
  })
}

export function bearingId(record: RecordId, question: RecordId): string {
  return `${record}/${question}`
}

/** A step of projection. A change of a question names its kind, so that its row need not be read. */
export function projectBearings(writes: Writes, changes: readonly RowChange[]): void {
  const asked = changes.flatMap((change) => (change.type === 'new' && change.row.kind === 'question' ? change.row : []))
  if (asked.length > 0) void writes.insertMany(bearings, asked.flatMap(bearingsOf))
  // updates are unordered: of two changes of one question the later is written
  const moved = new Map(
    changes.flatMap((change) => {
      if (change.type !== 'changed' || change.set.kind !== 'question' || !change.set.body) return []
      const { about, score } = change.set.body
      const { valid_to, created_at } = change.set
      // one that is asked again may be worth more or less than it was
      const rank = created_at === undefined ? {} : { rank: rankOf(score, created_at) }
      const set = { open: valid_to === null ? 1 : 0, seq: change.seq, ...rank }
      return about.map(({ record }) => [bearingId(record, change.id as RecordId), set] as const)
    }),
  )
  if (moved.size === 0) return
  void writes.updateEach(
    bearings,
    [...moved].map(([id, set]) => ({ id, change: { set }, condition: { seq: { lt: set.seq } } })),
  )
}

/** Beyond any instant in ms: the year 2286. */
const end = 10_000_000_000_000

/** Scores to a hundredth, then the newest. */
function rankOf(score: number, at: string): number {
  return (100 - Math.round(score * 100)) * end + Math.max(0, end - Date.parse(at))
}
