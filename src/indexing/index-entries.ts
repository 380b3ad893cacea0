/** The index worker: indexes projected entries, advances the checkpoint, and sets receipts to applied (PROTOCOL 3). */

import type { WorkspaceId } from '../ids.ts'
import { type Checkpoint, checkpointOf, checkpoints } from '../journal/checkpoint.ts'
import type { Entry } from '../journal/entry.ts'
import { loadEntry } from '../journal/head.ts'
import type { JournalPorts } from '../journal/ports.ts'
import { workerTurn } from '../journal/turns.ts'
import { instant } from '../ports/clock.ts'
import { inTurns } from '../ports/in-turns.ts'
import { alone, type Job, type Turn } from '../ports/queue.ts'
import { receipts } from '../receipt.ts'
import { type PrecedentRecord, records } from '../records/record.ts'
import { indexRows } from './index-rows.ts'
import { ensureIndex, isLost } from './lost-indexes.ts'
import { replaceLost } from './rebuild.ts'

/** Receipts set to applied in one update. */
const receiptsAtOnce = 1000

/**
 * Limits of one step, which may exceed them by one entry. A step costs the engine a refresh, however small it is. With
 * one step per entry, a backlog of small entries would grow faster than it is indexed.
 */
const entriesAtOnce = 25
const changesAtOnce = 500
const charactersAtOnce = 4 * 1024 * 1024

/**
 * Brings the live index of a workspace up to checkpoint.projected, step by step. Returns earlier if another workspace
 * takes the place. Safe to run concurrently. `stopping` ends a rebuild, which takes long; the next worker continues it.
 */
export async function indexWorkspace(
  ports: JournalPorts,
  { workspace }: Job,
  stopping?: AbortSignal,
  place: Turn = alone,
): Promise<void> {
  const turn = workerTurn(ports.clock, place)
  for (;;) {
    const checkpoint = await checkpointOf(ports.documents, workspace)
    if (checkpoint.indexed >= checkpoint.projected) {
      await applyUpTo(ports, workspace, checkpoint.indexed)
      return
    }
    if (await turn.isGivenUp()) return
    const epoch = await ports.epoch()
    if (checkpoint.indexed === 0) await ensureIndex(ports, checkpoint.live, workspace)
    else if (await isLost(ports, checkpoint, epoch)) {
      if (await replaceLost(ports, checkpoint, stopping)) continue
      // the worker that rebuilds it wakes us afterwards
      return
    }
    const entries = await entriesAfter(ports, checkpoint)
    const { number, last_seq } = entries.at(-1) as Entry
    await indexRows(ports, workspace, checkpoint.live, await rowsOf(ports, entries))
    turn.pieceDone()
    // false: the index was lost, and another workspace has recreated it. It may lack some of our documents
    if (!(await ports.search.advance(checkpoint.live, workspace, { epoch, sequence: last_seq }))) continue
    // false: another index worker or a rebuild changed the checkpoint. Start over from there
    const advanced = await ports.documents.update(
      checkpoints,
      workspace,
      { set: { indexed: number, indexed_seq: last_seq } },
      { live: checkpoint.live, indexed: checkpoint.indexed },
    )
    if (advanced) await applyUpTo(ports, workspace, number)
  }
}

/** The next projected entries to index in one step. */
async function entriesAfter({ documents }: JournalPorts, checkpoint: Checkpoint): Promise<Entry[]> {
  const { id: workspace, indexed, projected } = checkpoint
  const taken: Entry[] = []
  let changes = 0
  let characters = 0
  const turn = inTurns()
  for (let number = indexed + 1; number <= projected && taken.length < entriesAtOnce; number++) {
    await turn()
    const entry = await loadEntry(documents, workspace, number)
    if (!entry) throw new Error(`entry ${number} of ${workspace} is missing`)
    taken.push(entry)
    changes += entry.records.length
    for (const change of entry.records)
      characters += (change.type === 'new' ? change.row : change.set).text?.length ?? 0
    if (changes >= changesAtOnce || characters >= charactersAtOnce) break
  }
  return taken
}

/**
 * The rows that the entries created or changed, in their current state. Their sequence is the version of the document.
 */
async function rowsOf(ports: JournalPorts, entries: readonly Entry[]): Promise<PrecedentRecord[]> {
  const rows = new Map<string, PrecedentRecord>()
  const elsewhere = new Set<string>()
  for (const change of entries.flatMap((entry) => entry.records)) {
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
  return [...rows.values()]
}

/** Sets all open receipts of entries up to `number` to applied: every read shows their changes now. */
async function applyUpTo(ports: JournalPorts, workspace: WorkspaceId, number: number): Promise<void> {
  for (;;) {
    const open = await ports.documents.find(receipts, {
      where: { workspace, open: 1, number: { lte: number } },
      limit: receiptsAtOnce,
      fields: ['id', 'operation', 'trace'],
    })
    if (open.length === 0) return
    const ids = open.map((receipt) => receipt.id)
    const now = instant(ports.clock)
    await ports.documents.updateMany(
      receipts,
      ids,
      { set: { state: 'applied', open: 0, ended_at: now, updated_at: now, input: null } },
      { open: 1 },
    )
    ports.ended(ids)
    ports.watch?.applied(workspace, number, open)
    if (open.length < receiptsAtOnce) return
  }
}
