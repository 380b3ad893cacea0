/** What search and sync cursors are bound to. */
import { createHash } from 'node:crypto'
import { type Actor, audiencesOf } from '../access/actor.ts'
import type { CursorKind } from '../access/cursors.ts'
import type { Reads } from '../operation.ts'
import { invalid } from '../problem.ts'

/** A short mark of what the actor sees: cursors of other audiences have another one. */
export function audienceMark(actor: Actor): string {
  return markOf(audiencesOf(actor).sort())
}

/** Of any JSON value. */
export function markOf(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('base64url').slice(0, 22)
}

/** Search cursors go on with one query of one workspace as one caller sees it, and nothing else. */
export interface SearchCursor<Position> {
  next(position: Position): string
  /** Where the page begins; undefined: at the start. Throws invalid_request for a cursor of anything else. */
  position: Position | undefined
}

export function searchCursor<Position>(
  reads: Reads,
  actor: Actor,
  kind: Extract<CursorKind, 'search' | 'decision_search'>,
  query: unknown,
  cursor: string | undefined,
): SearchCursor<Position> {
  const bound = markOf([actor.workspace, audiencesOf(actor).sort(), query])
  return {
    next: (position) => reads.cursors.seal(kind, { bound, position }),
    position: cursor === undefined ? undefined : positionOf(cursor),
  }

  function positionOf(sealed: string): Position {
    const opened = reads.cursors.open(kind, sealed) as { bound: string; position: Position } | undefined
    if (opened?.bound !== bound) {
      throw invalid('cursor', 'does not go on with this query: send next_cursor unchanged with the same query, or none')
    }
    return opened.position
  }
}
