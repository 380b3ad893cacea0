/** Keeps the newest milestones of a watched run in memory, so that its watchers need not read them. */
import type { SeenMilestone } from '../../records/watched-run.ts'
import type { MilestoneBatch } from '../stored/milestone.ts'

/** Characters of JSON that are kept of one run, besides its newest batch. */
const mostKept = 256 * 1024

export interface KeptMilestones {
  /** The number of the newest one; 0: there is none. */
  last(): number
  /** Adds the next batch. */
  add(batch: MilestoneBatch): void
  /** undefined: older ones are asked for, which are not kept. */
  page(after: number, most: number): Promise<SeenMilestone[]> | undefined
}

/** `newest`: the newest batches, in order. */
export function keptMilestones(newest: readonly MilestoneBatch[]): KeptMilestones {
  const batches: { first: number; items: SeenMilestone[]; size: number }[] = []
  let size = 0
  let last = 0

  function add(batch: MilestoneBatch): void {
    if (batch.items.length === 0) return
    const items = numbered(batch)
    const length = JSON.stringify(items).length
    batches.push({ first: batch.first, items, size: length })
    size += length
    last = batch.first + items.length - 1
    while (size > mostKept && batches.length > 1) size -= batches.shift()?.size ?? 0
  }
  for (const batch of newest) add(batch)

  return {
    last: () => last,
    add,
    page(after, most) {
      if (after >= last) return Promise.resolve([])
      if (batches[0] === undefined || after + 1 < batches[0].first) return undefined
      const found: SeenMilestone[] = []
      for (const { first, items } of batches) {
        const from = Math.max(0, after + 1 - first)
        found.push(...items.slice(from, from + most - found.length))
        if (found.length === most) break
      }
      return Promise.resolve(found)
    },
  }
}

export function numbered({ first, items }: MilestoneBatch): SeenMilestone[] {
  return items.map(({ at, type, title, text, data, session_id }, n) => ({
    number: first + n,
    at,
    type,
    title,
    ...(text === undefined ? {} : { text }),
    ...(data === undefined ? {} : { data }),
    session_id,
  }))
}
