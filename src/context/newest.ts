/** Lists the newest records in force, from the store alone: the answer of search without a query. */

import { checkpoints } from '../journal/checkpoint.ts'
import type { Reads } from '../operation.ts'
import type { Where } from '../ports/documents.ts'
import { inForce } from '../records/in-force.ts'
import { knowledgeKinds } from '../records/kinds.ts'
import { supersededUntil } from '../records/read/planned.ts'
import type { RecordReader } from '../records/read/reader.ts'
import { newestFirst } from '../records/read/seen-record.ts'
import { type Envelope, envelopeFields, type PrecedentRecord, records } from '../records/record.ts'

/** The last row of the page before, and projected_seq at the time of the first page. */
export interface NewestPosition {
  valid_from: string
  id: string
  since: number
}

export interface NewestWanted {
  /** The instant at which they are in force. */
  at: string
  limit: number
  after: NewestPosition | undefined
}

/** Rows examined for one page, approximately: a page may be short and still have a cursor. */
const mostExamined = 2_000

/** Newest valid_from first. */
export async function newestInForce(
  wanted: NewestWanted,
  reader: RecordReader,
  reads: Reads,
): Promise<{ rows: Envelope[]; next: NewestPosition | undefined }> {
  const { limit, after } = wanted
  const since = after?.since ?? (await projectedNow(reader, reads))
  const rows: Envelope[] = []
  let last: Pick<Envelope, 'valid_from' | 'id'> | undefined = after
  for (let examined = 0; examined < mostExamined; ) {
    const some = await rowsAfter(last, wanted.at, 2 * limit + 1, reader, reads)
    const holding = some.rows.filter((row) => inForce(row, wanted.at))
    const records = holding.map((row) => row.record_id)
    const gone = await supersededUntil(wanted.at, records, reader, reads.documents)
    for (const row of some.rows) {
      const holds = inForce(row, wanted.at) && !gone.has(row.record_id)
      if (holds && !(await wasShown(row, rows, after, reader))) {
        if (rows.length === limit) return { rows, next: { ...positionOf(last), since } }
        rows.push(row)
      }
      last = row
    }
    if (some.ended) return { rows, next: undefined }
    examined += some.rows.length
  }
  return { rows, next: { ...positionOf(last), since } }
}

function positionOf(last: Pick<Envelope, 'valid_from' | 'id'> | undefined) {
  return { valid_from: last?.valid_from ?? '', id: last?.id ?? '' }
}

async function projectedNow({ workspace }: RecordReader, { documents }: Reads): Promise<number> {
  return (await documents.get(checkpoints, workspace, ['projected_seq']))?.projected_seq ?? 0
}

/**
 * In the order of valid_from and id, both descending: first the remaining rows of the same valid_from, then older ones.
 */
async function rowsAfter(
  last: Pick<Envelope, 'valid_from' | 'id'> | undefined,
  at: string,
  limit: number,
  reader: RecordReader,
  { documents }: Reads,
): Promise<{ rows: Envelope[]; ended: boolean }> {
  const find = (where: Where<PrecedentRecord>, most: number): Promise<Envelope[]> =>
    documents.find(records, {
      where: {
        workspace: reader.workspace,
        audience: { in: reader.audiences },
        kind: { in: knowledgeKinds },
        ...where,
      },
      sort: [
        ['valid_from', 'desc'],
        ['id', 'desc'],
      ],
      limit: most,
      fields: envelopeFields,
    })
  const same = last ? await find({ valid_from: last.valid_from, id: { lt: last.id } }, limit) : []
  if (same.length === limit) return { rows: same, ended: false }
  const rest = limit - same.length
  const older = await find({ valid_from: last ? { lt: last.valid_from } : { lte: at } }, rest)
  return { rows: [...same, ...older], ended: older.length < rest }
}

/**
 * Whether another row of the same record was shown before: on this page, or on an earlier one if the record changed
 * since.
 */
async function wasShown(
  row: Envelope,
  page: readonly Envelope[],
  after: NewestPosition | undefined,
  reader: RecordReader,
): Promise<boolean> {
  if (page.some((shown) => shown.record_id === row.record_id)) return true
  if (after === undefined || row.seq <= after.since) return false
  const record = (await reader.records([row.record_id])).get(row.record_id)
  return (record?.revisions ?? []).some((other) => other.id !== row.id && newestFirst(other, after) <= 0)
}
