/**
 * Measures how far the workers are behind. It reads single rows by declared indexes, so its cost grows with the number of
 * workspaces with open receipts, and not with the number of records or receipts.
 */

import type { WorkspaceId } from '../ids.ts'
import { checkpointPages, checkpoints, comparedIn } from '../journal/checkpoint.ts'
import { headOf } from '../journal/head.ts'
import { openLanes } from '../journal/open-lanes.ts'
import { type Clock, madeAt } from '../ports/clock.ts'
import type { Documents } from '../ports/documents.ts'
import { lanes } from '../ports/queue.ts'

export interface Backlog {
  /** Age of the oldest open receipt by lane, in ms. 0: there is none. */
  oldest: Record<string, number>
  /** Workspaces with an open receipt. */
  workspaces: number
  /**
   * Entries that a stage has not processed yet: in these workspaces; for `compared`, which follows after receipts have
   * ended, in the first 500 workspaces by id.
   */
  lag: Record<'projected' | 'indexed' | 'compared', { most: number; sum: number }>
  /** false: more workspaces have open receipts than are read. */
  complete: boolean
}

/** Workspaces with open receipts that are read, with about four reads each. */
const mostWorkspaces = 500
/**
 * Workspaces that are read without a pause. Reads of SQLite block the thread, so other work gets its turn after them.
 */
const workspacesAtOnce = 20

/**
 * Only workspaces with open receipts can be behind: a receipt is open until the search index shows its record, or until
 * its failure is projected.
 */
export async function backlogOf(documents: Documents, clock: Clock): Promise<Backlog> {
  const found: Backlog = {
    oldest: Object.fromEntries(lanes.map((lane) => [lane, 0])),
    workspaces: 0,
    lag: { projected: { most: 0, sum: 0 }, indexed: { most: 0, sum: 0 }, compared: { most: 0, sum: 0 } },
    complete: false,
  }
  await addComparingLag(found.lag.compared, documents)
  let after = ''
  for (let read = 0; read < mostWorkspaces; read += workspacesAtOnce) {
    const { found: open, last } = await openLanes(documents, { after, limit: workspacesAtOnce })
    for (const { lane, oldest } of open) {
      found.oldest[lane] = Math.max(found.oldest[lane] ?? 0, clock.now() - madeAt(oldest))
    }
    for (const workspace of new Set(open.map((one) => one.workspace))) {
      found.workspaces += 1
      await addLag(found.lag, documents, workspace)
    }
    if (last === undefined) return { ...found, complete: true }
    after = last
    await clock.sleep(1)
  }
  return found
}

async function addLag({ projected, indexed }: Backlog['lag'], documents: Documents, workspace: WorkspaceId) {
  // read before the head, so that the head is never older
  const checkpoint = await documents.get(checkpoints, workspace, ['projected', 'indexed'])
  const { number } = await headOf(documents, workspace)
  add(projected, number - (checkpoint?.projected ?? 0))
  add(indexed, (checkpoint?.projected ?? 0) - (checkpoint?.indexed ?? 0))
}

async function addComparingLag(stage: { most: number; sum: number }, documents: Documents): Promise<void> {
  for await (const page of checkpointPages(documents, mostWorkspaces, ['indexed'])) {
    const ids = page.map(({ id }) => id)
    const compared = await comparedIn(documents, ids)
    for (const { id, indexed } of page) add(stage, Math.max(0, indexed - (compared.get(id) ?? 0)))
    return
  }
}

function add(stage: { most: number; sum: number }, entries: number): void {
  stage.most = Math.max(stage.most, entries)
  stage.sum += entries
}
