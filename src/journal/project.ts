/**
 * Projection turns an entry into records, links and outcomes of receipts. It is idempotent and safe to run
 * concurrently: a row replaces only an older sequence, and a receipt only moves forward (PROTOCOL 2.3 to 2.5).
 */
import assert from 'node:assert/strict'
import { instant } from '../ports/clock.ts'
import type { Writes } from '../ports/documents.ts'
import { alone } from '../ports/queue.ts'
import { format, type Receipt, receipts } from '../receipts/receipt.ts'
import type { ReceiptId, WorkspaceId } from '../records/ids.ts'
import { projectQuestionLinks } from '../records/question-links.ts'
import { type ChangedFields, records, storedRecord } from '../records/record.ts'
import { sourceKeys, sourceKeysIn } from '../records/source-keys.ts'
import { projectClaims } from '../records/superseded-claims.ts'
import { checkpoints, type Decided, type Entry, links } from './entry.ts'
import { checkpointOf, type Head } from './head.ts'
import { loadEntry } from './load-entry.ts'
import type { JournalPorts } from './ports.ts'
import { type WorkerTurn, workerTurn } from './worker-turn.ts'

/** The entry has a newer format than this worker supports. Newer workers will handle the workspace. */
export class NewerFormat extends Error {}

/**
 * Projects all entries after the checkpoint up to `head`. false: it stopped early, because another workspace takes the
 * place.
 */
export async function projectUpTo(
  ports: JournalPorts,
  workspace: WorkspaceId,
  head: Head,
  turn: Pick<WorkerTurn, 'isGivenUp'> = workerTurn(ports.clock, alone),
): Promise<boolean> {
  const checkpoint = await checkpointOf(ports.documents, workspace)
  for (let number = checkpoint.projected + 1; number <= head.number; number++) {
    const entry = await loadEntry(ports.documents, workspace, number)
    assert(entry, `entry ${number} of ${workspace} is missing`)
    await project(ports, entry)
    if (number < head.number && (await turn.isGivenUp())) return false
  }
  return true
}

export async function project(ports: JournalPorts, entry: Entry): Promise<void> {
  if (entry.format > format) {
    ports.reportIssue('format', `a journal entry has format ${entry.format}, this worker knows ${format}: upgrade it`)
    throw new NewerFormat(`entry ${entry.id} has format ${entry.format}`)
  }
  const { documents } = ports
  const keys = entry.emptied ? [] : await sourceKeysIn(documents, entry.records)
  const now = instant(ports.clock)
  await documents.inOrder((writes) => {
    if (!entry.emptied) {
      projectNew(writes, entry)
      // after the new rows: readers must never see superseded_by of a row that does not exist yet
      projectChanged(writes, entry)
      if (keys.length > 0) void writes.insertMany(sourceKeys, keys)
      projectQuestionLinks(writes, entry.records)
      projectClaims(writes, entry)
      if (entry.links.length > 0) void writes.upsertIfNewer(links, entry.links, 'entry')
      projectReceipts(writes, entry, now)
    }
    // last: from here on no worker reads this entry again
    void writes.update(
      checkpoints,
      entry.workspace,
      { set: { projected: entry.number, projected_seq: entry.last_seq } },
      { projected: { lt: entry.number } },
    )
  })
  const ended = entry.receipts.filter((decided) => decided.state !== 'applied').map((decided) => decided.receipt)
  if (ended.length > 0) ports.ended(ended as ReceiptId[])
}

/**
 * Duplicates are rows that another worker wrote for this entry, or newer versions of them. Skipping them loses nothing.
 */
function projectNew(writes: Writes, entry: Entry): void {
  const rows = entry.records.flatMap((change) => (change.type === 'new' ? [storedRecord(change.row)] : []))
  if (rows.length > 0) void writes.insertMany(records, rows)
}

function projectChanged(writes: Writes, entry: Entry): void {
  // updates run in any order: without merging, the first of two changes of a row could be skipped as older
  const merged = new Map<string, ChangedFields & { seq: number }>()
  for (const change of entry.records) {
    if (change.type === 'changed') {
      merged.set(change.id, Object.assign({}, merged.get(change.id), change.set, { seq: change.seq }))
    }
  }
  if (merged.size === 0) return
  void writes.updateEach(
    records,
    [...merged].map(([id, set]) => ({ id, change: { set }, condition: { seq: { lt: set.seq } } })),
  )
}

function projectReceipts(writes: Writes, entry: Entry, now: string): void {
  if (entry.receipts.length === 0) return
  void writes.updateEach(
    receipts,
    entry.receipts.map((decided) => ({
      id: decided.receipt,
      change: { set: outcomeOf(decided, entry.number, now) },
      // skips receipts that are already decided or ended
      condition: { undecided: 1, open: 1 },
    })),
  )
}

function outcomeOf(decided: Decided, number: number, now: string): Partial<Receipt> {
  const common = { number, undecided: 0, updated_at: now }
  if (decided.state === 'applied') {
    // the state becomes `applied` once the index shows the entry
    return { ...common, entity: decided.entity, correctable: decided.correctable }
  }
  return { ...common, state: decided.state, error: decided.error, open: 0, ended_at: now, input: null }
}
