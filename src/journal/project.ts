/**
 * Projection: what an entry says becomes records, links and outcomes of receipts. Idempotent, and safe to run by many
 * workers at once: a row is written only over an older sequence, a receipt only moves forward (PROTOCOL 2.3 to 2.5).
 */
import assert from 'node:assert/strict'
import type { Documents } from '../ports/documents.ts'
import { format, type Receipt, receipts } from '../receipts/receipt.ts'
import type { ReceiptId, WorkspaceId } from '../records/ids.ts'
import { type PrecedentRecord, records } from '../records/record.ts'
import { projectSourceKeys } from '../records/source-keys.ts'
import { checkpoints, type Decided, type Entry, links } from './entry.ts'
import { checkpointOf, type Head } from './head.ts'
import { loadEntry } from './load.ts'
import type { JournalPorts } from './ports.ts'

/** An entry of a newer format than this worker knows: it leaves the workspace to newer workers. */
export class NewerFormat extends Error {}

/** Projects every entry after the checkpoint up to `head`. */
export async function projectUpTo(ports: JournalPorts, workspace: WorkspaceId, head: Head): Promise<void> {
  const checkpoint = await checkpointOf(ports.documents, workspace)
  for (let number = checkpoint.projected + 1; number <= head.number; number++) {
    const entry = await loadEntry(ports.documents, workspace, number)
    assert(entry, `entry ${number} of ${workspace} is missing`)
    await project(ports, entry)
  }
}

export async function project(ports: JournalPorts, entry: Entry): Promise<void> {
  if (entry.format > format) {
    ports.concern('format', `a journal entry has format ${entry.format}, this worker knows ${format}: upgrade it`)
    throw new NewerFormat(`entry ${entry.id} has format ${entry.format}`)
  }
  const { documents } = ports
  if (!entry.emptied) {
    await projectNew(documents, entry)
    // after the new rows: a reader must never see superseded_by of what isn't there
    await projectChanged(documents, entry)
    await projectSourceKeys(documents, entry.records)
    await projectLinks(documents, entry)
    await projectReceipts(ports, entry)
  }
  // last: from here on no worker looks at this entry again
  await documents.update(
    checkpoints,
    entry.workspace,
    { set: { projected: entry.number, projected_seq: entry.last_seq } },
    { projected: { lt: entry.number } },
  )
}

async function projectNew(documents: Documents, entry: Entry): Promise<void> {
  const rows = entry.records.flatMap((change) => (change.type === 'new' ? [change.row] : []))
  if (rows.length === 0) return
  const duplicates = new Set(await documents.insertMany(records, rows))
  if (duplicates.size > 0) {
    await documents.upsertIfNewer(
      records,
      rows.filter((row) => duplicates.has(row.id)),
      'seq',
    )
  }
}

async function projectChanged(documents: Documents, entry: Entry): Promise<void> {
  // updates are unordered: two changes of one row become one, else the first could be dropped as older
  const merged = new Map<string, Partial<PrecedentRecord> & { seq: number }>()
  for (const change of entry.records) {
    if (change.type === 'changed') {
      merged.set(change.id, { ...merged.get(change.id), ...change.set, seq: change.seq })
    }
  }
  if (merged.size === 0) return
  await documents.updateEach(
    records,
    [...merged].map(([id, set]) => ({ id, change: { set }, condition: { seq: { lt: set.seq } } })),
  )
}

async function projectLinks(documents: Documents, entry: Entry): Promise<void> {
  if (entry.links.length > 0) await documents.upsertIfNewer(links, entry.links, 'entry')
}

async function projectReceipts(ports: JournalPorts, entry: Entry): Promise<void> {
  if (entry.receipts.length === 0) return
  const now = new Date(ports.clock.now()).toISOString()
  await ports.documents.updateEach(
    receipts,
    entry.receipts.map((decided) => ({
      id: decided.receipt,
      change: { set: outcomeOf(decided, entry.number, now) },
      // number and outcome only where there is no number and it has not ended
      condition: { undecided: 1, open: 1 },
    })),
  )
  const ended = entry.receipts.filter((decided) => decided.state !== 'applied').map((decided) => decided.receipt)
  if (ended.length > 0) ports.ended(ended as ReceiptId[])
}

function outcomeOf(decided: Decided, number: number, now: string): Partial<Receipt> {
  const common = { number, undecided: 0, updated_at: now }
  if (decided.state === 'applied') {
    // `applied` itself waits for the index
    return { ...common, entity: decided.entity, correctable: decided.correctable }
  }
  return { ...common, state: decided.state, error: decided.error, open: 0, ended_at: now, input: null }
}
