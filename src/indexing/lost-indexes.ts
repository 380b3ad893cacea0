/**
 * Finds live indexes that this version can't use: lost ones, and those of another version. Each index stores a watermark
 * for each workspace, which is lost or restored with it (PROTOCOL 3.4). The watermark is written before the first
 * document, and afterwards only advanced.
 */

import type { WorkspaceId } from '../ids.ts'
import { type Checkpoint, checkpointPages, checkpoints } from '../journal/checkpoint.ts'
import type { JournalPorts } from '../journal/ports.ts'
import { versionsIn } from '../journal/shown-in.ts'
import type { Documents } from '../ports/documents.ts'
import { inVersion, isOlder } from '../ports/index-versions.ts'
import type { SearchEngine } from '../ports/search.ts'

type Ports = { documents: Documents; search: SearchEngine }
type Compared = Pick<Checkpoint, 'id' | 'live' | 'indexed' | 'indexed_seq' | 'shown_in'>

const checkpointsAtOnce = 500

export interface Standing {
  /** The versions of the live index that this process can use and that show everything up to the checkpoint. */
  complete: string[]
  /** Only a newer version is complete, which this process can't use. */
  isNewer: boolean
}

/** How the live index stands, by the watermarks in it. Only for workspaces with indexed entries. */
export async function standingOf(
  { search }: Pick<Ports, 'search'>,
  checkpoint: Compared,
  epoch: string,
): Promise<Standing> {
  const { id: workspace, live, indexed_seq } = checkpoint
  const listed = versionsIn(checkpoint)
  const own = search.version
  const stored = listed?.every((one) => one === own) ? [own] : await search.versions(live)
  const asked = stored.filter((one) => one === own || listed === undefined || listed.includes(one))
  const marks = await Promise.all(asked.map((one) => search.watermark(inVersion(live, one), workspace)))
  const complete = asked.filter((_, at) => {
    const mark = marks[at]
    return mark !== undefined && mark.epoch === epoch && mark.sequence >= indexed_seq
  })
  return { complete, isNewer: complete.length === 0 && (listed?.some((one) => isOlder(own, one)) ?? false) }
}

/** Whether the live index is behind the checkpoint in every version. */
export async function isLost(
  { complete, isNewer }: Standing,
  { documents }: Pick<Ports, 'documents'>,
  { id: workspace, live }: Compared,
): Promise<boolean> {
  if (complete.length > 0 || isNewer) return false
  // the index may have been replaced and dropped since the checkpoint was read
  return (await documents.get(checkpoints, workspace, ['live']))?.live === live
}

/**
 * lost: it is missing or incomplete in every version. older, newer: it is complete in such a version, and not in that of
 * this process.
 */
export type Trouble = 'lost' | 'older' | 'newer'

/** The checkpoints of workspaces whose live index this version can't use. Looks at the first `most` workspaces. */
export async function* outdatedIndexes(
  ports: Ports,
  epoch: string,
  most = Number.POSITIVE_INFINITY,
): AsyncGenerator<Compared & { trouble: Trouble }> {
  let looked = 0
  const size = Math.min(checkpointsAtOnce, most)
  for await (const page of checkpointPages(ports.documents, size, ['live', 'indexed', 'indexed_seq', 'shown_in'])) {
    for (const checkpoint of page.slice(0, most - looked)) {
      const trouble = await troubleWith(ports, checkpoint, epoch)
      if (trouble) yield { ...checkpoint, trouble }
    }
    looked += page.length
    if (looked >= most) return
  }
}

/** undefined: this process can use the live index, and the checkpoint says so. */
export async function troubleWith(ports: Ports, checkpoint: Compared, epoch: string): Promise<Trouble | undefined> {
  if (checkpoint.indexed === 0) return undefined
  const standing = await standingOf(ports, checkpoint, epoch)
  if (standing.isNewer) return 'newer'
  if (standing.complete.length === 0) return (await isLost(standing, ports, checkpoint)) ? 'lost' : undefined
  const own = ports.search.version
  return standing.complete.includes(own) && versionsIn(checkpoint)?.includes(own) ? undefined : 'older'
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

/**
 * The same for a workspace without indexed entries, also in the older versions that exist: processes of such a version
 * may search there. Returns all these versions.
 */
export async function ensureVersions(
  ports: Pick<JournalPorts, 'search' | 'epoch'>,
  index: string,
  workspace: WorkspaceId,
): Promise<string[]> {
  await ports.search.create(index)
  const versions = await ports.search.versions(index)
  for (const version of versions) {
    await ports.search.refresh(inVersion(index, version), workspace, { epoch: await ports.epoch(), sequence: 0 })
  }
  return versions
}
