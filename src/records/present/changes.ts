/** Presents changes of records for context.sync (SEMANTICS 5). */

import type { SeenLinks } from '../read/reader.ts'
import { mostLinks } from '../read/seen-record.ts'
import type { Envelope } from '../record.ts'
import { cut } from '../title.ts'
import { type Presenting, type SourceResponse, sourcesOfAll, titleWithStatus } from './present.ts'

export interface ChangeResponse {
  id: string
  kind: string
  title: string
  changed_at: string
  change_type: 'upsert' | 'superseded' | 'invalidated'
  replacement_id?: string
  supersedes?: string[]
  supersession_reason?: string
  source: SourceResponse
}

const longestReason = 2000

/** In the order of `rows`, which must be current revisions. */
export async function changesOf(rows: readonly Envelope[], presenting: Presenting): Promise<ChangeResponse[]> {
  const { reader } = presenting
  const links = await reader.links(rows)
  const sources = await sourcesOfAll(rows, presenting)
  return rows.map((row, at) => changeOf(row, links[at] as SeenLinks, sources[at] as SourceResponse))
}

function changeOf(row: Envelope, { successors, supersedes }: SeenLinks, source: SourceResponse): ChangeResponse {
  const shown = {
    id: row.record_id,
    kind: row.kind,
    title: titleWithStatus(row),
    changed_at: row.updated_at,
    source,
  }
  const [successor] = successors
  if (successor) {
    const { record, reason } = successor
    return { ...shown, change_type: 'superseded', replacement_id: record.record_id, ...reasonField(reason) }
  }
  if (row.invalidated_at !== null || isRejectedProposal(row)) return { ...shown, change_type: 'invalidated' }
  if (supersedes.length === 0) return { ...shown, change_type: 'upsert' }
  const reasons = supersedes.flatMap((older) => older.successors.find((one) => one.id === row.record_id)?.reason ?? [])
  return {
    ...shown,
    change_type: 'upsert',
    supersedes: supersedes.slice(0, mostLinks).map((older) => older.record_id),
    ...reasonField(reasons[0] ?? null),
  }
}

/** A person rejected it. A decision that was recorded as rejected has no valid_to. */
function isRejectedProposal({ status, valid_to }: Envelope): boolean {
  return status === 'rejected' && valid_to !== null
}

function reasonField(reason: string | null): { supersession_reason?: string } {
  return reason === null || reason === '' ? {} : { supersession_reason: cut(reason, longestReason) }
}
