/** Fills a new index from the records and swaps it in with one conditional update (PROTOCOL 3.4). */
import type { WorkspaceId } from '../records/ids.ts'
import { records } from '../records/record.ts'
import { checkpoints } from './entry.ts'
import { checkpointOf } from './head.ts'
import { type IndexPorts, intoIndex } from './into-index.ts'
import type { JournalPorts } from './ports.ts'
import { newRebuild, type Rebuild, rebuilds } from './rebuilds.ts'

const rowsAtOnce = 500
/** A worker says so often that it is still at it, in ms. */
const touchEvery = 5_000

/** Under load too: what is written meanwhile is copied before the swap. Returns the name of the live index. */
export async function rebuild(ports: JournalPorts, workspace: WorkspaceId): Promise<string> {
  const now = new Date(ports.clock.now()).toISOString()
  const made = newRebuild(ports.clock.id(), workspace, now, 'filling')
  // before the index: one that nobody knows of would stay for ever
  await ports.documents.insert(rebuilds, made)
  return fillAndSwap(ports, made)
}

/** Of a rebuild that this worker alone fills. */
export async function fillAndSwap(
  ports: JournalPorts,
  { id: fresh, workspace }: Rebuild,
  stopping?: AbortSignal,
): Promise<string> {
  const from = await checkpointOf(ports.documents, workspace)
  const touch = toucher(ports, fresh, stopping)
  await ports.search.create(fresh)
  let copied = 0
  for (;;) {
    // read before the rows: whatever an index worker has shown by now is projected and will be among them
    const { projected, projected_seq } = await checkpointOf(ports.documents, workspace)
    // beyond projected_seq a row of a lower sequence may still come: the next pass reads from there again
    copied = Math.min(await copyAfter(ports, workspace, fresh, copied, touch), projected_seq)
    await ports.search.refresh(fresh, workspace, { epoch: await ports.epoch(), sequence: projected_seq })
    // one that was silent for long may have been given up and dropped: it must not become the live one
    await touch(0, 'now')
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
      await ports.documents.update(rebuilds, fresh, { set: { state: 'dropping' } }, { state: 'filling' })
      return now.live
    }
  }
  const at = new Date(ports.clock.now()).toISOString()
  // the old one is dropped later: somebody may have read its name just now
  const set = { state: 'live', replaced: from.live, touched_at: at } as const
  await ports.documents.update(rebuilds, fresh, { set }, { state: 'filling' })
  ports.log.info({ workspace, index: fresh, sequence: copied }, 'index rebuilt')
  return fresh
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
    await intoIndex(ports, workspace, index, rows)
    reached = rows.at(-1)?.seq ?? reached
    await copied(rows.length)
  }
}

/** Throws where the rebuild was given up meanwhile: this worker was taken for dead. */
function toucher({ documents, clock }: JournalPorts, id: string, stopping: AbortSignal | undefined) {
  let touched = clock.now()
  let rows = 0
  return async (more: number, when: 'now' | 'if due' = 'if due'): Promise<void> => {
    rows += more
    stopping?.throwIfAborted()
    if (when === 'if due' && clock.now() - touched < touchEvery) return
    touched = clock.now()
    const set = { touched_at: new Date(touched).toISOString(), copied: rows }
    if (await documents.update(rebuilds, id, { set }, { state: 'filling' })) return
    throw new Error(`the rebuild ${id} was given up, because its worker was silent for too long`)
  }
}
