/**
 * Finds indexes that were lost or restored from an older copy. Each index stores a watermark for each workspace, which
 * is lost or restored with it (PROTOCOL 3.4). The watermark is written before the first document, and afterwards only
 * advanced. An index of another version (text/version.ts) counts as lost: for the engine it is missing, and so is its
 * watermark.
 */

import type { WorkspaceId } from '../ids.ts'
import { type Checkpoint, checkpointPages, checkpoints } from '../journal/checkpoint.ts'
import type { JournalPorts } from '../journal/ports.ts'
import type { Documents } from '../ports/documents.ts'
import type { SearchEngine } from '../ports/search.ts'

type Compared = Pick<Checkpoint, 'id' | 'live' | 'indexed' | 'indexed_seq'>

const checkpointsAtOnce = 500

/** Whether the watermark of the live index is behind the checkpoint. */
export async function isLost(
  { documents, search }: { documents: Documents; search: SearchEngine },
  { id: workspace, live, indexed, indexed_seq }: Compared,
  epoch: string,
): Promise<boolean> {
  if (indexed === 0) return false
  const watermark = await search.watermark(live, workspace)
  if (watermark && watermark.epoch === epoch && watermark.sequence >= indexed_seq) return false
  // the index may have been replaced and dropped since the checkpoint was read
  return (await documents.get(checkpoints, workspace, ['live']))?.live === live
}

/** The checkpoints of workspaces whose index was lost. Looks at the first `most` workspaces. */
export async function* lostIndexes(
  ports: { documents: Documents; search: SearchEngine },
  epoch: string,
  most = Number.POSITIVE_INFINITY,
): AsyncGenerator<Compared> {
  let looked = 0
  const size = Math.min(checkpointsAtOnce, most)
  for await (const page of checkpointPages(ports.documents, size, ['live', 'indexed', 'indexed_seq'])) {
    for (const checkpoint of page.slice(0, most - looked)) {
      if (await isLost(ports, checkpoint, epoch)) yield checkpoint
    }
    looked += page.length
    if (looked >= most) return
  }
}

/** Creates the index and the watermark of the workspace, if missing. From now on a missing watermark means a loss. */
export async function ensureIndex(
  ports: Pick<JournalPorts, 'search' | 'epoch'>,
  index: string,
  workspace: WorkspaceId,
): Promise<void> {
  await ports.search.create(index)
  await ports.search.refresh(index, workspace, { epoch: await ports.epoch(), sequence: 0 })
}
