/** Counts records that lack vectors. The cost is bounded, however many there are. */

import { type Checkpoint, checkpoints } from '../journal/checkpoint.ts'
import { fieldsOfIndex, serving } from '../journal/shown-in.ts'
import type { Clock } from '../ports/clock.ts'
import type { Documents } from '../ports/documents.ts'
import type { SearchEngine } from '../ports/search.ts'
import { records } from '../records/record.ts'
import { embedded, sequenceOfModel } from './embedded.ts'

export interface VectorGap {
  /** Rows without vectors, at most 10,000. */
  rows: number
  /** ms that the oldest of them has waited; 0 if there is none. */
  oldest: number
}

const workspacesLookedAt = 500
/** Limits of the count: the workspaces, and the rows of all workspaces together. */
const workspacesCounted = 50
export const rowsCounted = 10_000

/** Looks at the first 500 workspaces only. */
export async function vectorGap(
  documents: Documents,
  search: Pick<SearchEngine, 'version'>,
  clock: Clock,
  model: string,
): Promise<VectorGap> {
  const page = await documents.find(checkpoints, {
    where: { id: { gt: '' } },
    sort: [['id', 'asc']],
    limit: workspacesLookedAt,
    fields: fieldsOfIndex,
  })
  const ids = page.map(({ id }) => id)
  const found =
    ids.length === 0 ? [] : await documents.find(embedded, { where: { id: { in: ids } }, limit: ids.length })
  const known = new Map(found.map((one) => [one.id, one]))
  const gap: VectorGap = { rows: 0, oldest: 0 }
  let counted = 0
  for (const checkpoint of page) {
    const { id, indexed_seq } = checkpoint
    const sequence = sequenceOfModel(known.get(id), serving(search, checkpoint), model)
    if (sequence >= indexed_seq) continue
    if (counted++ === workspacesCounted || gap.rows >= rowsCounted) break
    await add(gap, documents, clock, id, sequence)
  }
  return gap
}

async function add(
  gap: VectorGap,
  documents: Documents,
  clock: Clock,
  workspace: Checkpoint['id'],
  sequence: number,
): Promise<void> {
  const where = { workspace, seq: { gt: sequence } }
  const [first] = await documents.find(records, { where, sort: [['seq', 'asc']], limit: 1, fields: ['updated_at'] })
  if (first === undefined) return
  gap.oldest = Math.max(gap.oldest, clock.now() - Date.parse(first.updated_at))
  gap.rows += await documents.count(records, { where, upTo: rowsCounted - gap.rows })
}
