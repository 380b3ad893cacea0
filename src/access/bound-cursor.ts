/** Binds cursors of searches, lists and sync to the query and the caller that they were made for. */
import { createHash } from 'node:crypto'
import { invalid } from '../problem.ts'
import { type Actor, audiencesOf } from './actor.ts'
import type { CursorKind, Cursors } from './cursors.ts'

/** A short hash of the actor's audiences. */
export function audienceMark(actor: Actor): string {
  return markOf(audiencesOf(actor).sort())
}

/** A short hash of any JSON value. */
export function markOf(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('base64url').slice(0, 22)
}

/** A bound cursor continues one query in one workspace for one set of audiences, nothing else. */
export interface BoundCursor<Position> {
  next(position: Position): string
  /** Where the page begins; undefined: at the start. */
  position: Position | undefined
}

/** Throws invalid_request if the cursor belongs to another query or caller. */
export function boundCursor<Position>(
  reads: { cursors: Cursors },
  actor: Actor,
  kind: Extract<CursorKind, 'search' | 'decision_search' | 'list'>,
  query: unknown,
  cursor: string | undefined,
): BoundCursor<Position> {
  const bound = markOf([actor.workspace, audiencesOf(actor).sort(), query])
  return {
    next: (position) => reads.cursors.seal(kind, { bound, position }),
    position: cursor === undefined ? undefined : positionOf(cursor),
  }

  function positionOf(sealed: string): Position {
    const opened = reads.cursors.open(kind, sealed) as { bound: string; position: Position } | undefined
    if (opened?.bound !== bound) {
      throw invalid('cursor', 'does not continue this query: send next_cursor unchanged with the same query, or none')
    }
    return opened.position
  }
}
