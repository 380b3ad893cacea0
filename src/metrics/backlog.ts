/**
 * How far the workers are behind, read from the store by declared indexes, one row at a time: what it costs grows with
 * the workspaces that have something open, never with what is kept or waits.
 */
import { checkpoints } from '../journal/entry.ts'
import { headOf } from '../journal/head.ts'
import { openLanes } from '../journal/open-lanes.ts'
import { type Clock, madeAt } from '../ports/clock.ts'
import type { Documents } from '../ports/documents.ts'
import { lanes } from '../ports/queue.ts'
import type { WorkspaceId } from '../records/ids.ts'

export interface Backlog {
  /** ms since the oldest receipt that is open was accepted, by lane; 0: none is open. */
  oldest: Record<string, number>
  /** Workspaces with an open receipt. */
  workspaces: number
  /** Entries that a stage has still to do, over these workspaces. */
  lag: { projected: { most: number; sum: number }; indexed: { most: number; sum: number } }
  /** false: there are more workspaces with open receipts than are looked at. */
  complete: boolean
}

/** Workspaces with open receipts that are looked at, at some four reads each. */
const mostWorkspaces = 500
/** Then others have a turn: on SQLite reads take no time of anybody else's. */
const workspacesInRow = 20

/**
 * A workspace that is behind has open receipts: one is open until the index shows what it was decided to be, or until
 * it has failed, which its projection says.
 */
export async function backlogOf(documents: Documents, clock: Clock): Promise<Backlog> {
  const found: Backlog = {
    oldest: Object.fromEntries(lanes.map((lane) => [lane, 0])),
    workspaces: 0,
    lag: { projected: { most: 0, sum: 0 }, indexed: { most: 0, sum: 0 } },
    complete: false,
  }
  let after = ''
  for (let looked = 0; looked < mostWorkspaces; looked += workspacesInRow) {
    const { found: open, last } = await openLanes(documents, { after, limit: workspacesInRow })
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
  // before the head, which is then never behind them
  const checkpoint = await documents.get(checkpoints, workspace, ['projected', 'indexed'])
  const { number } = await headOf(documents, workspace)
  add(projected, number - (checkpoint?.projected ?? 0))
  add(indexed, (checkpoint?.projected ?? 0) - (checkpoint?.indexed ?? 0))
}

function add(stage: { most: number; sum: number }, entries: number): void {
  stage.most = Math.max(stage.most, entries)
  stage.sum += entries
}
