/** The index worker: indexes projected entries, advances the checkpoint, and sets receipts to applied (PROTOCOL 3). */

import type { WorkspaceId } from '../ids.ts'
import { type Checkpoint, checkpointOf, checkpoints } from '../journal/checkpoint.ts'
import type { Entry } from '../journal/entry.ts'
import { loadEntry } from '../journal/head.ts'
import type { JournalPorts } from '../journal/ports.ts'
import { shownIn } from '../journal/shown-in.ts'
import { workerTurn } from '../journal/turns.ts'
import { instant } from '../ports/clock.ts'
import { inTurns } from '../ports/in-turns.ts'
import { inVersion } from '../ports/index-versions.ts'
import { alone, type Job, type Turn } from '../ports/queue.ts'
import { receipts } from '../receipt.ts'
import { type PrecedentRecord, records } from '../records/record.ts'
import { indexRows } from './index-rows.ts'
import { ensureVersions, isLost, standingOf } from './lost-indexes.ts'
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
    const versions = await versionsToWrite(ports, checkpoint, epoch)
    if (versions === 'lost') {
      if (await replaceLost(ports, checkpoint, stopping)) continue
      // the worker that rebuilds it wakes us afterwards
      return
    }
    // workers of the newer version do it, or else maintain first fills an index of this version
    if (versions === 'newer') return
    if (versions === 'replaced') continue
    const entries = await entriesAfter(ports, checkpoint)
    const { number, last_seq } = entries.at(-1) as Entry
    const rows = await rowsOf(ports, entries)
    const { live, indexed, shown_in } = checkpoint
    const names = versions.map((version) => inVersion(live, version))
    for (const name of names) await indexRows(ports, workspace, name, rows)
    turn.pieceDone()
    // false: the index was lost, and another workspace has recreated it. It may lack some of our documents
    const mark = { epoch, sequence: last_seq }
    const marked = await Promise.all(names.map((name) => ports.search.advance(name, workspace, mark)))
    if (!marked.every(Boolean)) continue
    // false: another index worker, a rebuild or a filled version changed the checkpoint. Start over from there
    const advanced = await ports.documents.update(
      checkpoints,
      workspace,
      { set: { indexed: number, indexed_seq: last_seq, shown_in: shownIn({ live, indexed: number }, versions) } },
      { live, indexed, shown_in },
    )
    if (advanced) await applyUpTo(ports, workspace, number)
  }
}

/**
 * The versions of the live index to write to: all that are complete, because processes of different versions search
 * different ones. newer: only one that this process can't write. lost: none. replaced: the checkpoint names another index
 * now.
 */
async function versionsToWrite(
  ports: JournalPorts,
  checkpoint: Checkpoint,
  epoch: string,
): Promise<string[] | 'newer' | 'lost' | 'replaced'> {
  if (checkpoint.indexed === 0) return ensureVersions(ports, checkpoint.live, checkpoint.id)
  const standing = await standingOf(ports, checkpoint, epoch)
  if (standing.complete.length > 0) return standing.complete
  if (standing.isNewer) return 'newer'
  return (await isLost(standing, ports, checkpoint)) ? 'lost' : 'replaced'
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
