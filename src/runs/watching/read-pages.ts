/** Reads pages of milestones from the store. Watchers that ask for the same page at the same time share one read. */
import { LRUCache } from 'lru-cache'
import type { RecordId, WorkspaceId } from '../../ids.ts'
import type { Documents } from '../../ports/documents.ts'
import type { SeenMilestone } from '../../records/watched-run.ts'
import { type MilestoneBatch, milestones } from '../stored/milestone.ts'
import { numbered } from './milestone-pages.ts'

/** A page may have 3 MB. */
const pagesKept = 16
/** ms */
const keptFor = 5_000
/** Batches of one query. Each has at most 1 MiB. */
const batchesAtOnce = 8
/** Batches that are read when the first watcher comes. */
const newestBatches = 4

export interface MilestoneReader {
  /** The newest batches, in order. */
  newest(workspace: WorkspaceId, run: RecordId): Promise<MilestoneBatch[]>
  /** At most `most` milestones after this number, in order. */
  page(workspace: WorkspaceId, run: RecordId, after: number, most: number): Promise<SeenMilestone[]>
}

export function readPages(documents: Documents): MilestoneReader {
  const pages = new LRUCache<string, Promise<SeenMilestone[]>>({ max: pagesKept, ttl: keptFor })

  const find = (
    workspace: WorkspaceId,
    run: RecordId,
    first: { lte?: number; gt?: number },
    [direction, limit]: ['asc' | 'desc', number],
  ): Promise<MilestoneBatch[]> =>
    documents.find(milestones, { where: { workspace, run, first }, sort: [['first', direction]], limit })

  async function read(workspace: WorkspaceId, run: RecordId, after: number, most: number): Promise<SeenMilestone[]> {
    const [around] = await find(workspace, run, { lte: after + 1 }, ['desc', 1])
    const found = around ? numbered(around).filter(({ number }) => number > after) : []
    let from = after + 1
    while (found.length < most) {
      const batches = await find(workspace, run, { gt: from }, ['asc', batchesAtOnce])
      found.push(...batches.flatMap(numbered))
      from = batches.at(-1)?.first ?? from
      if (batches.length < batchesAtOnce) break
    }
    return found.slice(0, most)
  }

  return {
    async newest(workspace, run) {
      return (await find(workspace, run, { gt: 0 }, ['desc', newestBatches])).reverse()
    },

    // milestones never change, so a page may be kept
    page(workspace, run, after, most) {
      const key = `${run}/${after}/${most}`
      const kept = pages.get(key)
      if (kept) return kept
      const reading = read(workspace, run, after, most)
      pages.set(key, reading)
      reading.catch(() => pages.delete(key))
      return reading
    },
  }
}
