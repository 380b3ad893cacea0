/** A record as one actor sees it, its links, and their bounds. */
import type { Envelope } from '../record.ts'

/** Bound of lists in answers (SEMANTICS 1). */
export const mostLinks = 50
/** Ids in one query. */
export const idsAtOnce = 200
/** Rows of one query. A record may have many. */
export const rowsAtOnce = 1_000

/**
 * The revision that is shown (revisions.ts). Its links (superseded_by, successors, supersedes) are those of the current
 * revision as stored, not filtered by visibility: use `links` for that. If the row has no room for more successors, the
 * further ones that the actor sees follow, at most 501.
 */
export interface SeenRecord extends Envelope {
  /** The row of the current revision, which holds the leading outcome of a decision. */
  current: string
  /** The revision that waits to be judged: this one or a pending one. */
  proposal: Envelope | undefined
  /** At most 50 revisions, the one accepted last first. */
  revisions: Envelope[]
}

export type Links = Pick<Envelope, 'record_id' | 'successors' | 'supersedes'>

/** By valid_from, then by id. */
export function newestFirst(a: Pick<Envelope, 'valid_from' | 'id'>, b: Pick<Envelope, 'valid_from' | 'id'>): number {
  if (a.valid_from !== b.valid_from) return a.valid_from < b.valid_from ? 1 : -1
  return a.id < b.id ? 1 : a.id > b.id ? -1 : 0
}
