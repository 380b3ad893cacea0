/**
 * Fills a new index from the records and swaps it in with one conditional update (PROTOCOL 3.4). The checkpoint names
 * the only rebuild that may swap. To abandon a rebuild, this name is cleared first, so that a suspended worker can't
 * swap any more.
 */

import { type Checkpoint, checkpointOf, checkpoints } from '../journal/checkpoint.ts'
import type { JournalPorts } from '../journal/ports.ts'
import { shownIn } from '../journal/shown-in.ts'
import { instant } from '../ports/clock.ts'
import { copyAfter } from './copy-rows.ts'
import { ensureIndex } from './lost-indexes.ts'
import { dropUnused, isRetired, isServing, markServing, withdraw } from './rebuild-end.ts'
import {
  indexOf,
  isShared,
  newRebuild,
  nextShared,
  openRebuild,
  openRebuilds,
  type Rebuild,
  rebuilds,
} from './rebuilds.ts'

/** ms between two heartbeats of a worker. */
const touchEvery = 5_000

/** Rebuilds a lost index. false: another worker does it, and wakes the index workers at the end. */
export async function replaceLost(
  ports: JournalPorts,
  { id: workspace, live }: Pick<Checkpoint, 'id' | 'live'>,
  stopping?: AbortSignal,
): Promise<boolean> {
  const open = await openRebuild(ports.documents, workspace)
  if (open?.state === 'filling') return false
  if (open) return runRebuild(ports, open, stopping)
  const made = newRebuild(ports.clock, workspace, isShared(live) ? nextShared(live, await ports.epoch()) : null)
  // before the index is created: an index without a rebuild would never be dropped
  await ports.documents.insert(rebuilds, made)
  if (await runRebuild(ports, made, stopping)) return true
  // two workers asked at once: one rebuild is enough
  await ports.documents.delete(rebuilds, [made.id], { state: 'asked' })
  return false
}

/**
 * Runs a requested rebuild; the service may be under load. false: another worker runs this one, or another rebuild of
 * the workspace.
 */
export async function runRebuild(ports: JournalPorts, asked: Rebuild, stopping?: AbortSignal): Promise<boolean> {
  const { documents, clock } = ports
  const set = { state: 'filling', touched_at: instant(clock) } as const
  if (!(await documents.update(rebuilds, asked.id, { set }, { state: 'asked' }))) return false
  const rebuild = await withOpenTarget(ports, asked)
  const swapped = await fillAndSwap(ports, rebuild, stopping).catch(async (error: unknown) => {
    // the swap may have succeeded although its answer was lost
    if (await isServing(ports, rebuild)) return true
    await release(ports, rebuild)
    throw error
  })
  await (swapped ? markServing(ports, rebuild, { state: 'filling' }) : release(ports, rebuild))
  return swapped
}

/** A retired shared index may be dropped at any moment, so the rebuild moves on to the next one. */
async function withOpenTarget(ports: JournalPorts, { into, ...rebuild }: Rebuild): Promise<Rebuild> {
  let index = into
  while (index !== null && (await isRetired(ports.documents, index))) {
    index = nextShared(index, await ports.epoch())
    // before the check whether it is retired: the worker that retires an index checks afterwards whether a rebuild uses
    // it
    const isMine = await ports.documents.update(rebuilds, rebuild.id, { set: { into: index } }, { state: 'filling' })
    // stop here: an index created now would never be dropped
    if (!isMine) throw abandoned(rebuild.id)
  }
  return { ...rebuild, into: index }
}

/** Puts the rebuild back into the state asked. Its rows stay in the index, so the next worker can continue at once. */
async function release(ports: JournalPorts, rebuild: Rebuild): Promise<void> {
  const set = { state: 'asked' } as const
  if (await ports.documents.update(rebuilds, rebuild.id, { set }, { state: 'filling' })) return
  // the rebuild was abandoned, and its index dropped, perhaps before this worker created it
  if (await withdraw(ports, rebuild)) await dropUnused(ports, indexOf(rebuild))
}

/** false: another rebuild of the workspace is running. */
async function fillAndSwap(ports: JournalPorts, rebuild: Rebuild, stopping?: AbortSignal): Promise<boolean> {
  const { id, workspace } = rebuild
  const fresh = indexOf(rebuild)
  const from = await checkpointOf(ports.documents, workspace)
  // an earlier worker swapped before it died
  if (from.live === fresh) return true
  if (!(await claim(ports, rebuild, from))) return false
  const heartbeat = heartbeatOf(ports, id, stopping)
  await ensureIndex(ports, fresh, workspace)
  let copied = 0
  for (;;) {
    // read before the rows: everything that index workers have indexed by now is projected, so the copy will include it
    const { projected, projected_seq } = await checkpointOf(ports.documents, workspace)
    // rows beyond projected_seq may be incomplete: the next pass reads from there again
    copied = Math.min(await copyAfter(ports, workspace, fresh, copied, heartbeat.copied), projected_seq)
    const watermark = { epoch: await ports.epoch(), sequence: projected_seq }
    if (!(await ports.search.advance(fresh, workspace, watermark)))
      throw new Error(`${fresh} was lost while it was filled`)
    await heartbeat.swapping(from.live)
    const shown_in = shownIn({ live: fresh, indexed: projected }, [ports.search.version])
    const swapped = await ports.documents.update(
      checkpoints,
      workspace,
      { set: { live: fresh, indexed: projected, indexed_seq: projected_seq, shown_in, filling: null } },
      { live: from.live, indexed: { lte: projected }, filling: id },
    )
    if (swapped) return true
    const { live, filling } = await checkpointOf(ports.documents, workspace)
    // the first attempt of the update succeeded, and was repeated after a broken connection
    if (live === fresh) return true
    if (filling !== id || live !== from.live) throw abandoned(id)
  }
}

/** From now on only this rebuild may swap. */
async function claim(
  { documents }: JournalPorts,
  { id, workspace }: Rebuild,
  { filling, live }: Checkpoint,
): Promise<boolean> {
  const others = (await openRebuilds(documents, workspace)).filter((one) => one.id !== id && one.state === 'filling')
  // a rebuild that has named the replaced index may have swapped: maintain then drops the replaced index
  if (others.some((one) => one.id === filling || one.replaced !== null)) return false
  return documents.update(checkpoints, workspace, { set: { filling: id } }, { filling, live })
}

/** Writes heartbeats. Throws if the rebuild was abandoned because its worker seemed dead. */
function heartbeatOf({ documents, clock }: JournalPorts, id: string, stopping: AbortSignal | undefined) {
  let touched = clock.now()
  let rows = 0
  const touch = async (more: Partial<Rebuild> = {}): Promise<void> => {
    touched = clock.now()
    const set = { touched_at: new Date(touched).toISOString(), copied: rows, ...more }
    if (!(await documents.update(rebuilds, id, { set }, { state: 'filling' }))) throw abandoned(id)
  }
  return {
    async copied(more: number): Promise<void> {
      rows += more
      stopping?.throwIfAborted()
      if (clock.now() - touched >= touchEvery) await touch()
    },
    /**
     * Stores the name of the replaced index before the swap, so that it is dropped even if the worker dies right after
     * it.
     */
    swapping: (replaced: string): Promise<void> => touch({ replaced }),
  }
}

function abandoned(id: string): Error {
  return new Error(`rebuild ${id} was abandoned: its worker was silent for too long`)
}
