/**
 * After an upgrade: fills the live index in the version of this process, beside the older version that serves meanwhile,
 * and drops the older one later.
 *
 * The new index has the name of the live one. So nothing is swapped, and processes of both versions can work at the same
 * time: index workers of the new version write to all versions that are complete, those of the older version only to
 * their own. `shown_in` of the checkpoint says which are complete (journal/shown-in.ts). A version that was left out falls
 * out of this list with the next entry, and is filled up again from its watermark. So a killed or concurrent fill costs
 * time, but is never wrong.
 */
import { type Setting, settings } from '../access/settings.ts'
import type { WorkspaceId } from '../ids.ts'
import { type Checkpoint, checkpointOf, checkpointPages, checkpoints, firstIndex } from '../journal/checkpoint.ts'
import type { JournalPorts } from '../journal/ports.ts'
import { shownIn, versionsIn } from '../journal/shown-in.ts'
import { instant } from '../ports/clock.ts'
import { inVersion, isOlder } from '../ports/index-versions.ts'
import { copyAfter } from './copy-rows.ts'
import { ensureIndex, standingOf } from './lost-indexes.ts'

/** ms between two watermarks of a fill. A fill that was killed continues from the last one. */
const markEvery = 5_000
/** ms. How long an older version is kept up to date after the new one is complete: processes may still search it. */
export const olderKeptFor = 15 * 60_000
const workspacesAtOnce = 500
const filled = 'search index of this version is complete; searches use it from now on'

/** Returns once the index of this version is complete, or the live index is lost, or the process stops. */
export async function fillNextVersion(
  ports: JournalPorts,
  workspace: WorkspaceId,
  stopping?: AbortSignal,
): Promise<void> {
  const { documents, search } = ports
  const own = search.version
  let isFilled = false
  while (!stopping?.aborted) {
    const checkpoint = await checkpointOf(documents, workspace)
    const standing = await standingOf(ports, checkpoint, await ports.epoch())
    if (standing.complete.length === 0 && !standing.isNewer) return
    if (standing.complete.includes(own)) {
      if (!(await list(ports, checkpoint, standing.complete))) continue
      if (!isFilled) return
      ports.log.info({ workspace, index: inVersion(checkpoint.live, own) }, filled)
      // after a downgrade, entries wait for it. If the queue is unavailable, the pollers find them
      await ports.queue.add('index', { workspace, lane: 'interactive' }).catch(() => {})
      return
    }
    // readers need not ask the engine from now on
    if (versionsIn(checkpoint) === undefined && !(await list(ports, checkpoint, standing.complete))) continue
    await fill(ports, checkpoint, stopping)
    isFilled = true
  }
}

/** Stores which versions are complete. Newer ones, which only their processes know, stay. false: the checkpoint has changed. */
async function list(
  { documents, search }: JournalPorts,
  checkpoint: Checkpoint,
  complete: readonly string[],
): Promise<boolean> {
  const { id, live, indexed, shown_in } = checkpoint
  const newer = versionsIn(checkpoint)?.filter((one) => isOlder(search.version, one)) ?? []
  const listed = shownIn(checkpoint, [...complete, ...newer])
  if (listed === shown_in) return true
  return documents.update(checkpoints, id, { set: { shown_in: listed } }, { live, indexed, shown_in })
}

/** Copies the rows that the index of this version lacks, up to what was projected at the start. */
async function fill(ports: JournalPorts, { id: workspace, live }: Checkpoint, stopping?: AbortSignal): Promise<void> {
  const { search, clock, documents } = ports
  const epoch = await ports.epoch()
  await ensureIndex(ports, live, workspace)
  const from = (await search.watermark(live, workspace))?.sequence ?? 0
  // read before the rows: those up to it are all in their places
  const { projected_seq } = await checkpointOf(documents, workspace)
  const index = inVersion(live, search.version)
  ports.log.info(
    { workspace, index, from },
    'filling a search index of this version; one of another version serves meanwhile',
  )
  const mark = async (sequence: number) => {
    if (!(await search.advance(live, workspace, { epoch, sequence })))
      throw new Error(`${index} was lost while it was filled`)
  }
  let marked = clock.elapsed()
  await copyAfter(ports, workspace, index, from, async (_, reached) => {
    stopping?.throwIfAborted()
    if (clock.elapsed() - marked < markEvery) return
    await mark(Math.min(reached, projected_seq))
    marked = clock.elapsed()
  })
  await mark(projected_seq)
}

/** Drops the older versions of live indexes, some time after all their workspaces have the new one. */
export async function dropOlderVersions(ports: JournalPorts): Promise<void> {
  for (const [index, isComplete] of await liveIndexes(ports)) {
    const { search, documents, clock, log } = ports
    if ((await search.versions(index)).every((one) => one === search.version)) continue
    const id = `older/${index}`
    const known = await documents.get(settings, id)
    const since = sinceIn(known, search.version)
    if (!isComplete) {
      if (known) await documents.delete(settings, [id])
    } else if (since === undefined) {
      if (known) await documents.delete(settings, [id])
      await documents.insert(settings, { id, version: 1, value: { version: search.version, since: instant(clock) } })
    } else if (clock.now() - Date.parse(since) >= olderKeptFor) {
      await search.dropOlder(index)
      await documents.delete(settings, [id])
      log.info({ index }, 'dropped the older version of a search index')
    }
  }
}

/** Since when the index has been complete in this version; undefined: that is not stored. */
function sinceIn(setting: Setting | undefined, version: string): string | undefined {
  const value = setting?.value as { version: string; since: string } | undefined
  return value?.version === version ? value.since : undefined
}

/** The live indexes, and whether each is complete in this version for all its workspaces. */
async function liveIndexes({ documents, search }: JournalPorts): Promise<Map<string, boolean>> {
  const found = new Map<string, boolean>([[firstIndex, true]])
  for await (const page of checkpointPages(documents, workspacesAtOnce, ['live', 'indexed', 'shown_in'])) {
    for (const checkpoint of page) {
      const { live, indexed } = checkpoint
      const isComplete = indexed === 0 || (versionsIn(checkpoint)?.includes(search.version) ?? false)
      found.set(live, isComplete && (found.get(live) ?? true))
    }
  }
  return found
}
