/** Fills a new index from the records and swaps it in with one conditional update (PROTOCOL 3.4). */
import type { WorkspaceId } from '../records/ids.ts'
import { records } from '../records/record.ts'
import { searchDocumentOf } from '../records/search-document.ts'
import { checkpoints } from './entry.ts'
import { checkpointOf, firstIndex, headOf } from './head.ts'
import type { JournalPorts } from './ports.ts'

const rowsAtOnce = 500

/** Under load too: what is written meanwhile is copied before the swap. Returns the name of the new live index. */
export async function rebuild(ports: JournalPorts, workspace: WorkspaceId): Promise<string> {
  const from = await checkpointOf(ports.documents, workspace)
  // a name of its own: two rebuilds at once must not fill one index
  const fresh = `records-${ports.clock.id()}`
  await ports.search.create(fresh)
  let copied = 0
  for (;;) {
    // read before the rows: whatever an index worker has shown by now is projected and will be among them
    const { projected, projected_seq } = await checkpointOf(ports.documents, workspace)
    // beyond projected_seq a row of a lower sequence may still come: the next pass reads from there again
    copied = Math.min(await copyAfter(ports, workspace, fresh, copied), projected_seq)
    await ports.search.refresh(fresh, workspace, { epoch: await ports.epoch(), sequence: projected_seq })
    const swapped = await ports.documents.update(
      checkpoints,
      workspace,
      { set: { live: fresh, indexed: projected, indexed_seq: projected_seq } },
      { live: from.live, indexed: { lte: projected } },
    )
    if (swapped) break
    const now = await checkpointOf(ports.documents, workspace)
    if (now.live !== from.live) {
      // another rebuild was first
      await ports.search.drop(fresh)
      return now.live
    }
  }
  // the first index is shared by all workspaces; a rebuilt one was this workspace's alone
  if (from.live !== firstIndex) await ports.search.drop(from.live)
  ports.log.info(
    { workspace, index: fresh, documents: copied, head: await headOf(ports.documents, workspace) },
    'index rebuilt',
  )
  return fresh
}

/** Copies rows whose sequence is above `position`; returns the position reached. */
async function copyAfter(
  ports: JournalPorts,
  workspace: WorkspaceId,
  index: string,
  position: number,
): Promise<number> {
  let reached = position
  for (;;) {
    const rows = await ports.documents.find(records, {
      where: { workspace, seq: { gt: reached } },
      sort: [['seq', 'asc']],
      limit: rowsAtOnce,
    })
    if (rows.length === 0) return reached
    await ports.search.upsert(index, rows.filter((row) => row.kind !== 'question').map(searchDocumentOf))
    reached = rows.at(-1)?.seq ?? reached
  }
}
