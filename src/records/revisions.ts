/**
 * Which revision of a decision is current and which one is shown (SEMANTICS 1). A revision in force stays in force until
 * another one is, so a proposed or rejected revision never replaces a decided one: it is a pending revision.
 * All functions take revisions in the order of acceptance.
 */
import { type Envelope, isDatedAhead } from './record.ts'

/** Proposed, or rejected: it never held, and ends nothing that may. */
export function isOnlyProposed({ status }: Pick<Envelope, 'status'>): boolean {
  return status === 'proposed' || status === 'rejected'
}

/** The one in the feed, with the links of the decision: the last that was decided, or, where none was, the last. */
export function currentOf<R extends Pick<Envelope, 'feed'>>(revisions: readonly R[]): R | undefined {
  return revisions.findLast(({ feed }) => feed !== 'none') ?? revisions.at(-1)
}

/** The one that waits to be judged: the last, if it is proposed. Whatever came before it is no question any more. */
export function proposalOf<R extends Pick<Envelope, 'status'>>(revisions: readonly R[]): R | undefined {
  const newest = revisions.at(-1)
  return newest?.status === 'proposed' ? newest : undefined
}

/** What readers are shown: of what was decided the last that has begun, else of what is proposed, else the current one. */
export function shownRevision(revisions: readonly Envelope[], now: string): Envelope | undefined {
  const current = currentOf(revisions)
  if (!current) return undefined
  const hasBegun = (row: Envelope) => !isDatedAhead(row, now)
  // what never held is shown only where nothing else is
  const decided = isOnlyProposed(current)
    ? undefined
    : revisions.findLast((row) => !isOnlyProposed(row) && hasBegun(row))
  return decided ?? revisions.findLast(hasBegun) ?? current
}

/** Whether these, the newest, tell which revision is current and which is shown, whatever older ones there are. */
export function includesShownRevision(newest: readonly Envelope[], now: string): boolean {
  const current = newest.findLast(({ feed }) => feed !== 'none')
  if (!current) return false
  return newest.some((row) => !isDatedAhead(row, now) && (isOnlyProposed(current) || !isOnlyProposed(row)))
}

/** The links of a decision, which its current revision has. */
export function linksOf({ superseded_by, successors, supersedes, invalidated_at }: Envelope) {
  return { superseded_by, successors, supersedes, invalidated_at }
}
