/** The index worker: search documents of projected entries, refresh, checkpoint, receipts → applied (PROTOCOL 3). */
import type { Job } from '../ports/queue.ts'
import type { SearchDocument } from '../ports/search.ts'
import { receipts } from '../receipts/receipt.ts'
import type { WorkspaceId } from '../records/ids.ts'
import { type PrecedentRecord, records } from '../records/record.ts'
import { searchDocumentOf } from '../records/search-document.ts'
import { type Checkpoint, checkpoints, type Entry } from './entry.ts'
import { checkpointOf } from './head.ts'
import { loadEntry } from './load.ts'
import type { JournalPorts } from './ports.ts'
import { rebuild } from './rebuild.ts'

/** Receipts that become applied by one update. */
const receiptsAtOnce = 1000

/** Entries of one turn: then others have theirs, for a backfill must not hold back the writes of other workspaces. */
const entriesAtOnce = 4

/** Brings the live index of a workspace up to checkpoint.projected, turn by turn. Many may run at once. */
export async function indexWorkspace(ports: JournalPorts, job: Job): Promise<void> {
  const { workspace } = job
  for (let turn = 1; ; turn++) {
    const checkpoint = await checkpointOf(ports.documents, workspace)
    if (checkpoint.indexed >= checkpoint.projected) {
      await applyUpTo(ports, workspace, checkpoint.indexed)
      return
    }
    if (await isLost(ports, checkpoint)) {
      await rebuild(ports, workspace)
      continue
    }
    const number = checkpoint.indexed + 1
    const entry = await loadEntry(ports.documents, workspace, number)
    if (!entry) throw new Error(`entry ${number} of ${workspace} is missing`)
    const documents = entry.emptied ? [] : await documentsOf(ports, entry)
    if (documents.length > 0) {
      const { reduced } = await ports.search.upsert(checkpoint.live, documents)
      for (const id of reduced) ports.log.warn({ record: id, workspace }, 'indexed in a reduced form')
    }
    const mark = { epoch: await ports.epoch(), sequence: entry.last_seq }
    await ports.search.refresh(checkpoint.live, workspace, mark)
    // lost to another index worker or to a rebuild that swapped: start over from what stands there then
    const advanced = await ports.documents.update(
      checkpoints,
      workspace,
      { set: { indexed: number, indexed_seq: entry.last_seq } },
      { live: checkpoint.live, indexed: number - 1 },
    )
    if (advanced) await applyUpTo(ports, workspace, number)
    if (turn >= entriesAtOnce && (await toTheBack(ports, job))) return
  }
}

/** true: queued behind the others. false: nothing is left to do, or the queue takes nothing and the worker goes on. */
async function toTheBack(ports: JournalPorts, job: Job): Promise<boolean> {
  const { indexed, projected } = await checkpointOf(ports.documents, job.workspace)
  if (indexed >= projected) return false
  return ports.queue.add('index', job).then(
    () => true,
    () => false,
  )
}

/** The index knows less than the checkpoint says it does: it was lost, or restored from an older copy. */
async function isLost(ports: JournalPorts, checkpoint: Checkpoint): Promise<boolean> {
  if (checkpoint.indexed === 0) {
    await ports.search.create(checkpoint.live)
    return false
  }
  const mark = await ports.search.mark(checkpoint.live, checkpoint.id)
  return !mark || mark.epoch !== (await ports.epoch()) || mark.sequence < checkpoint.indexed_seq
}

/** Documents of the rows that the entry made or changed, each as it is now (its sequence is its version). */
async function documentsOf(ports: JournalPorts, entry: Entry): Promise<SearchDocument[]> {
  const rows = new Map<string, PrecedentRecord>()
  const elsewhere = new Set<string>()
  for (const change of entry.records) {
    if (change.type === 'new') rows.set(change.row.id, change.row)
    else {
      const known = rows.get(change.id)
      if (known) rows.set(change.id, { ...known, ...change.set, seq: change.seq } as PrecedentRecord)
      else elsewhere.add(change.id)
    }
  }
  if (elsewhere.size > 0) {
    const ids = [...elsewhere]
    for (const row of await ports.documents.find(records, { where: { id: { in: ids } }, limit: ids.length })) {
      rows.set(row.id, row)
    }
  }
  return [...rows.values()].filter((row) => row.kind !== 'question').map(searchDocumentOf)
}

/** All open receipts that an entry ≤ `number` decided are applied: every read shows them now. */
async function applyUpTo(ports: JournalPorts, workspace: WorkspaceId, number: number): Promise<void> {
  for (;;) {
    const open = await ports.documents.find(receipts, {
      where: { workspace, open: 1, number: { lte: number } },
      limit: receiptsAtOnce,
      fields: ['id'],
    })
    if (open.length === 0) return
    const ids = open.map((receipt) => receipt.id)
    const now = new Date(ports.clock.now()).toISOString()
    await ports.documents.updateMany(
      receipts,
      ids,
      { set: { state: 'applied', open: 0, ended_at: now, updated_at: now, input: null } },
      { open: 1 },
    )
    ports.ended(ids)
    if (open.length < receiptsAtOnce) return
  }
}
