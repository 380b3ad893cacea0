/**
 * Fills a new index from the records and swaps it in with one conditional update (PROTOCOL 3.4). The checkpoint names
 * the one rebuild that may: whoever gives it up clears that first, so that a worker which was frozen swaps in vain.
 */
import { instant } from '../ports/clock.ts'
import type { WorkspaceId } from '../records/ids.ts'
import { records } from '../records/record.ts'
import { type Checkpoint, checkpoints } from './entry.ts'
import { checkpointOf } from './head.ts'
import { type IndexPorts, indexRows } from './index-rows.ts'
import { ensureIndex } from './lost-indexes.ts'
import type { JournalPorts } from './ports.ts'
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

const rowsAtOnce = 500
/** A worker says so often that it is still at it, in ms. */
const touchEvery = 5_000

/** In the place of an index that was lost. false: another worker is at it, and wakes the index workers when it has ended. */
export async function replaceLost(
  ports: JournalPorts,
  { id: workspace, live }: Pick<Checkpoint, 'id' | 'live'>,
  stopping?: AbortSignal,
): Promise<boolean> {
  const open = await openRebuild(ports.documents, workspace)
  if (open?.state === 'filling') return false
  if (open) return runRebuild(ports, open, stopping)
  const made = newRebuild(ports.clock, workspace, isShared(live) ? nextShared(live, await ports.epoch()) : null)
  // before the index: one that nobody knows of would stay for ever
  await ports.documents.insert(rebuilds, made)
  if (await runRebuild(ports, made, stopping)) return true
  // asked for by two at once: one rebuild will do
  await ports.documents.delete(rebuilds, [made.id], { state: 'asked' })
  return false
}

/** Of one that is asked for. Under load too. false: another worker is at this one, or at another of the workspace. */
export async function runRebuild(ports: JournalPorts, asked: Rebuild, stopping?: AbortSignal): Promise<boolean> {
  const { documents, clock } = ports
  const set = { state: 'filling', touched_at: instant(clock) } as const
  if (!(await documents.update(rebuilds, asked.id, { set }, { state: 'asked' }))) return false
  const rebuild = await withOpenTarget(ports, asked)
  const swapped = await fillAndSwap(ports, rebuild, stopping).catch(async (error: unknown) => {
    // the answer to the swap may have been lost
    if (await isServing(ports, rebuild)) return true
    await leave(ports, rebuild)
    throw error
  })
  await (swapped ? markServing(ports, rebuild, { state: 'filling' }) : leave(ports, rebuild))
  return swapped
}

/** A shared one that has ended may be dropped at any moment: the next one is filled. */
async function withOpenTarget(ports: JournalPorts, { into, ...rebuild }: Rebuild): Promise<Rebuild> {
  let index = into
  while (index !== null && (await isRetired(ports.documents, index))) {
    index = nextShared(index, await ports.epoch())
    // before the look whether it has ended: who ends it looks afterwards whether it is wanted
    const isMine = await ports.documents.update(rebuilds, rebuild.id, { set: { into: index } }, { state: 'filling' })
    // an index that it made now would be known to nobody
    if (!isMine) throw abandoned(rebuild.id)
  }
  return { ...rebuild, into: index }
}

/** What it has filled is good: whoever comes next goes on at once. */
async function leave(ports: JournalPorts, rebuild: Rebuild): Promise<void> {
  const set = { state: 'asked' } as const
  if (await ports.documents.update(rebuilds, rebuild.id, { set }, { state: 'filling' })) return
  // given up, and dropped by now, perhaps before this worker made it
  if (await withdraw(ports, rebuild)) await dropUnused(ports, indexOf(rebuild))
}

/** false: another rebuild of the workspace is under way. */
async function fillAndSwap(ports: JournalPorts, rebuild: Rebuild, stopping?: AbortSignal): Promise<boolean> {
  const { id, workspace } = rebuild
  const fresh = indexOf(rebuild)
  const from = await checkpointOf(ports.documents, workspace)
  // by a worker that was not heard of any more
  if (from.live === fresh) return true
  if (!(await claim(ports, rebuild, from))) return false
  const touch = heartbeatOf(ports, id, stopping)
  await ensureIndex(ports, fresh, workspace)
  let copied = 0
  for (;;) {
    // read before the rows: whatever an index worker has shown by now is projected and will be among them
    const { projected, projected_seq } = await checkpointOf(ports.documents, workspace)
    // beyond projected_seq a row of a lower sequence may still come: the next pass reads from there again
    copied = Math.min(await copyAfter(ports, workspace, fresh, copied, touch.copied), projected_seq)
    const watermark = { epoch: await ports.epoch(), sequence: projected_seq }
    if (!(await ports.search.advance(fresh, workspace, watermark)))
      throw new Error(`${fresh} was lost while it was filled`)
    await touch.swapping(from.live)
    const swapped = await ports.documents.update(
      checkpoints,
      workspace,
      { set: { live: fresh, indexed: projected, indexed_seq: projected_seq, filling: null } },
      { live: from.live, indexed: { lte: projected }, filling: id },
    )
    if (swapped) return true
    const { live, filling } = await checkpointOf(ports.documents, workspace)
    // asked for twice by a connection that broke off
    if (live === fresh) return true
    if (filling !== id || live !== from.live) throw abandoned(id)
  }
}

/** From now on this rebuild may swap, and no other. */
async function claim(
  { documents }: JournalPorts,
  { id, workspace }: Rebuild,
  { filling, live }: Checkpoint,
): Promise<boolean> {
  const others = (await openRebuilds(documents, workspace)).filter((one) => one.id !== id && one.state === 'filling')
  // also one that said what it replaces: it may have swapped, and what it replaced is dropped by who finds it serving
  if (others.some((one) => one.id === filling || one.replaced !== null)) return false
  return documents.update(checkpoints, workspace, { set: { filling: id } }, { filling, live })
}

/** Copies rows whose sequence is above `position`; returns the position reached. */
export async function copyAfter(
  ports: Pick<JournalPorts, 'documents'> & IndexPorts,
  workspace: WorkspaceId,
  index: string,
  position: number,
  copied: (rows: number) => Promise<void>,
): Promise<number> {
  let reached = position
  for (;;) {
    const rows = await ports.documents.find(records, {
      where: { workspace, seq: { gt: reached } },
      sort: [['seq', 'asc']],
      limit: rowsAtOnce,
    })
    if (rows.length === 0) return reached
    await indexRows(ports, workspace, index, rows)
    reached = rows.at(-1)?.seq ?? reached
    await copied(rows.length)
  }
}

/** Both throw where the rebuild was given up meanwhile: this worker was taken for dead. */
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
    /** Names what is replaced before it is: a worker that dies right after the swap leaves nothing that is not known. */
    swapping: (replaced: string): Promise<void> => touch({ replaced }),
  }
}

function abandoned(id: string): Error {
  return new Error(`the rebuild ${id} was given up, because its worker was silent for too long`)
}
