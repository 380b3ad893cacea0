/** What all lists of v2 share: the fields of their input, the shape of their answer, and cursors bound to both. */
import { z } from 'zod'
import { canonicalJson } from '../text/canonical.ts'
import type { Actor } from './actor.ts'
import { boundCursor } from './bound-cursor.ts'
import type { Cursors } from './cursors.ts'

/** Items of one page. */
const mostItems = 200
const usualItems = 50

/** The fields that the input of a list has in addition to its filters. */
export const listFields = {
  limit: z.int().min(1).max(mostItems).default(usualItems).describe('Items of one page, at most.'),
  cursor: z
    .string()
    .min(1)
    .max(4096)
    .exactOptional()
    .describe('next_cursor of the page before, with the same filters.'),
}

export interface ListInput {
  limit: number
  cursor?: string
}

export interface ListOutput<Item> {
  items: Item[]
  has_more: boolean
  next_cursor?: string | undefined
}

export function listOutput<Item extends z.ZodType>(item: Item) {
  return z.strictObject({
    items: z.array(item),
    has_more: z.boolean().describe('Whether another page can be read now.'),
    next_cursor: z
      .string()
      .min(1)
      .max(4096)
      .optional()
      .describe('Continues the list. A last page may have one too, to poll for what comes later.'),
  })
}

export interface List<Position> {
  /** Where the page begins; undefined: at the start. */
  position: Position | undefined
  /** `next`: where the following page begins. undefined: nothing can follow. */
  page<Item>(items: Item[], next: Position | undefined, hasMore?: boolean): ListOutput<Item>
}

/**
 * Opens the cursor of the input. Every field of the input besides `limit` and `cursor` is a filter. Throws
 * invalid_request if the cursor was made for another list, workspace, set of audiences or filters.
 */
export function openList<Position>(
  reads: { cursors: Cursors },
  actor: Actor,
  name: string,
  { limit: _, cursor, ...filters }: ListInput,
): List<Position> {
  const { position, next: seal } = boundCursor<Position>(reads, actor, 'list', [name, filterMark(filters)], cursor)
  return {
    position,
    page: (items, next, hasMore = next !== undefined) => ({
      items,
      has_more: hasMore,
      ...(next === undefined ? {} : { next_cursor: seal(next) }),
    }),
  }
}

/** The values of a filter have no order: any of them matches. */
function filterMark(filters: Record<string, unknown>): string {
  const sorted = Object.entries(filters).map(([name, value]) => [
    name,
    Array.isArray(value) ? [...new Set(value.map((one) => canonicalJson(one)))].sort() : value,
  ])
  return canonicalJson(Object.fromEntries(sorted))
}
