/**
 * Which revision of a decision is current and which one is shown (SEMANTICS 1). A revision in force stays in force
 * until another one is, so a proposed or rejected revision never replaces a decided one: it is a pending revision. All
 * functions take revisions in the order of acceptance.
 */
import { isDatedAhead } from './in-force.ts'
import type { Envelope } from './record.ts'

/** Proposed or rejected: it was never in force, and it ends no revision that is. */
export function isOnlyProposed({ status }: Pick<Envelope, 'status'>): boolean {
  return status === 'proposed' || status === 'rejected'
}

/** The last decided revision; if none is decided, the last. It is in the feed and holds the decision's links. */
export function currentOf<R extends Pick<Envelope, 'feed'>>(revisions: readonly R[]): R | undefined {
  return revisions.findLast(({ feed }) => feed !== 'none') ?? revisions.at(-1)
}

/** The last revision if it is proposed. It replaces earlier proposals, about which no question is asked any more. */
export function proposalOf<R extends Pick<Envelope, 'status'>>(revisions: readonly R[]): R | undefined {
  const newest = revisions.at(-1)
  return newest?.status === 'proposed' ? newest : undefined
}

/**
 * The revision that readers are shown: the last decided one that has begun; if there is none, the last one that has
 * begun; else the current one.
 */
export function shownRevision(revisions: readonly Envelope[], now: string): Envelope | undefined {
  const current = currentOf(revisions)
  if (!current) return undefined
  const hasBegun = (row: Envelope) => !isDatedAhead(row, now)
  // a revision that is only proposed is shown only if there is no decided one
  const decided = isOnlyProposed(current)
    ? undefined
    : revisions.findLast((row) => !isOnlyProposed(row) && hasBegun(row))
  return decided ?? revisions.findLast(hasBegun) ?? current
}

/** Whether the newest revisions suffice to know the current and the shown one, so that no older ones must be read. */
export function includesShownRevision(newest: readonly Envelope[], now: string): boolean {
  const current = newest.findLast(({ feed }) => feed !== 'none')
  if (!current) return false
  return newest.some((row) => !isDatedAhead(row, now) && (isOnlyProposed(current) || !isOnlyProposed(row)))
}

/** The links of a decision; its current revision holds them. */
export function linksOf({ superseded_by, successors, supersedes, invalidated_at }: Envelope) {
  return { superseded_by, successors, supersedes, invalidated_at }
}
