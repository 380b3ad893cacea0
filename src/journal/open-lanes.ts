/** Finds lanes with open receipts. It reads one row per workspace from an index, so it never scans a backlog. */

import type { ReceiptId, WorkspaceId } from '../ids.ts'
import type { Documents } from '../ports/documents.ts'
import { type Lane, lanes } from '../ports/queue.ts'
import { receipts } from '../receipt.ts'

export interface Open {
  workspace: WorkspaceId
  lane: Lane
  /** The oldest open receipt of the lane. */
  oldest: ReceiptId
}

export interface Search {
  /** Only workspaces after this one. */
  after: string
  /** The most workspaces to look at. */
  limit: number
  /** Only lanes whose oldest receipt was accepted by then. */
  acceptedBy?: string
}

/** The lanes with open receipts. `last` is undefined if no workspace is left. */
export async function openLanes(
  documents: Documents,
  { after, limit, acceptedBy }: Search,
): Promise<{ found: Open[]; last: string | undefined }> {
  const found: Open[] = []
  let last = after
  for (let looked = 0; looked < limit; looked++) {
    const [next] = await documents.find(receipts, {
      where: { open: 1, workspace: { gt: last } },
      sort: [['workspace', 'asc']],
      limit: 1,
      fields: ['workspace'],
    })
    if (!next) return { found, last: undefined }
    last = next.workspace
    for (const lane of lanes) {
      const [oldest] = await documents.find(receipts, {
        where: {
          open: 1,
          workspace: next.workspace,
          lane,
          ...(acceptedBy === undefined ? {} : { accepted_at: { lte: acceptedBy } }),
        },
        sort: [['accepted_at', 'asc']],
        limit: 1,
        fields: ['id'],
      })
      if (oldest) found.push({ workspace: next.workspace, lane, oldest: oldest.id })
    }
  }
  return { found, last }
}
