/**
 * Embeds the rows of one workspace, from its checkpoint on, under a lease. Each step may run twice, concurrently or
 * partly: a vector is stored only with the version of the document that it was made of.
 */

import type { WorkspaceId } from '../ids.ts'
import { checkpoints } from '../journal/checkpoint.ts'
import type { JournalPorts } from '../journal/ports.ts'
import { serving } from '../journal/shown-in.ts'
import { giveWay } from '../journal/turns.ts'
import { chunks } from '../ports/chunks.ts'
import type { Documents } from '../ports/documents.ts'
import { inTurns } from '../ports/in-turns.ts'
import type { SearchDocument, Vector } from '../ports/search.ts'
import { type PrecedentRecord, records } from '../records/record.ts'
import { searchDocumentOf } from '../records/search-document.ts'
import type { Space } from '../text/space.ts'
import { embedded, sequenceOf } from './embedded.ts'
import { type Asking, embedAll } from './vectors-of-texts.ts'

export interface LeasePorts extends Pick<JournalPorts, 'documents' | 'search' | 'clock' | 'log'> {
  asking: Asking
  /** Reports how many texts got their vectors, or can't be embedded. */
  done(outcome: 'embedded' | 'refused', texts: number): void
}

/** 'others': another worker has the lease, or the index was replaced. */
export type Reached = 'all' | 'some' | 'others'

/** Rows of one step. After each step another waiting workspace may go first. */
const rowsAtOnce = 128
/** The most steps under one lease if no other workspace waits. */
const stepsAtOnce = 8
/** Documents stored before the worker gives way to writes: a few ms of work. */
const storedAtOnce = 16
/** ms. After this without progress another worker may take the lease. */
const leaseLasts = 120_000

interface Lease {
  workspace: WorkspaceId
  /** The index that serves searches, with its version. */
  live: string
  indexed: number
  space: Space
  holder: string
}

/** Throws EmbedderUnavailable, but keeps the steps done so far. `isAnotherWaiting` is called after each step. */
export async function embedWithLease(
  ports: LeasePorts,
  workspace: WorkspaceId,
  space: Space,
  holder: string,
  isAnotherWaiting: () => boolean = () => false,
): Promise<Reached> {
  const checkpoint = await ports.documents.get(checkpoints, workspace, ['live', 'indexed', 'indexed_seq', 'shown_in'])
  if (!checkpoint || checkpoint.indexed_seq === 0) return 'all'
  const lease = { workspace, live: serving(ports.search, checkpoint), indexed: checkpoint.indexed_seq, space, holder }
  const acquired = await acquire(ports, lease)
  if (typeof acquired !== 'number') return acquired
  try {
    return await embedSteps(ports, lease, acquired, isAnotherWaiting)
  } finally {
    // even if the embedder failed. Then another worker can continue before the lease expires
    await ports.documents.update(embedded, workspace, { set: { held_until: instantIn(ports, 0) } }, { holder })
  }
}

async function embedSteps(
  ports: LeasePorts,
  lease: Lease,
  from: number,
  isAnotherWaiting: () => boolean,
): Promise<Reached> {
  const { workspace, live, space, indexed } = lease
  let sequence = from
  for (let step = 0; step < stepsAtOnce && !ports.asking.stopping.aborted; step++) {
    const rows = await rowsAfter(ports.documents, workspace, sequence, indexed)
    await embedRows(ports, lease, rows)
    const all = rows.length < rowsAtOnce
    const reached = all ? indexed : (rows.at(-1)?.seq as number)
    // even if another worker has the lease by now, all rows in this range have vectors. An earlier checkpoint must not
    // jump ahead: rows before `sequence` may lack vectors
    const kept = await ports.documents.update(
      embedded,
      workspace,
      { set: { sequence: reached, held_until: instantIn(ports, leaseLasts) } },
      { live, space: space.name, sequence: { gte: sequence, lte: reached } },
    )
    if (!kept) return 'others'
    if (all) return 'all'
    sequence = reached
    if (isAnotherWaiting()) break
  }
  return 'some'
}

/** Takes the lease. Returns the sequence after which rows lack vectors. */
async function acquire(ports: LeasePorts, lease: Lease): Promise<number | Reached> {
  const { workspace, live, space, holder } = lease
  const taken = { holder, held_until: instantIn(ports, leaseLasts) }
  const known = await ports.documents.get(embedded, workspace)
  const sequence = sequenceOf(known, live, space.name)
  if (sequence >= lease.indexed) return 'all'
  if (!known) {
    const first = { id: workspace, live, space: space.name, sequence: 0, ...taken }
    return (await ports.documents.insert(embedded, first)) ? 0 : 'others'
  }
  if (known.holder !== holder && known.held_until > instantIn(ports, 0)) return 'others'
  const set = { live, space: space.name, sequence, ...taken }
  const condition = { holder: known.holder, held_until: known.held_until, sequence: known.sequence }
  return (await ports.documents.update(embedded, workspace, { set }, condition)) ? sequence : 'others'
}

/** Only rows that the index already shows. */
function rowsAfter(documents: Documents, workspace: WorkspaceId, sequence: number, indexed: number) {
  return documents.find(records, {
    where: { workspace, seq: { gt: sequence, lte: indexed } },
    sort: [['seq', 'asc']],
    limit: rowsAtOnce,
  })
}

async function embedRows(
  ports: LeasePorts,
  { workspace, live, space }: Lease,
  rows: readonly PrecedentRecord[],
): Promise<void> {
  if (rows.length === 0) return
  const byId = new Map(rows.map((row) => [row.id, row]))
  // skip rows that kept their vector because only their validity changed
  const missing = await ports.search.unembedded(live, workspace, space.name, [...byId.keys()])
  const wanted = missing.map((id) => byId.get(id) as PrecedentRecord)
  const { given, failure } = await embedAll(ports.asking, wanted.map(textOf), space)
  const embeddable = wanted.flatMap((row, n) => {
    const values = given[n]
    return values instanceof Float32Array ? [{ row, vector: { space: space.name, values } }] : []
  })
  const reduced: string[] = []
  for (const some of chunks(embeddable, storedAtOnce)) {
    await giveWay(ports)
    reduced.push(...(await ports.search.upsert(live, searchDocumentsOf(some))).reduced)
  }
  if (embeddable.length > 0) await ports.search.refresh(live, workspace)
  ports.done('embedded', embeddable.length - reduced.length)
  // the checkpoint stays, so the next run embeds the missing ones
  if (failure) throw failure
  const refused = [...wanted.filter((_, n) => given[n] === 'refused').map(({ id }) => id), ...reduced]
  ports.done('refused', refused.length)
  for (const record of refused) {
    ports.log.warn({ record, workspace }, 'text cannot be embedded; the record is found by words only')
  }
}

async function* searchDocumentsOf(
  embedded: readonly { row: PrecedentRecord; vector: Vector }[],
): AsyncIterable<SearchDocument> {
  const turn = inTurns()
  for (const { row, vector } of embedded) yield { ...(await searchDocumentOf(row, turn)), vector }
}

function textOf({ title, text }: PrecedentRecord): string {
  return text.startsWith(title) ? text : `${title}\n${text}`
}

function instantIn({ clock }: LeasePorts, ms: number): string {
  return new Date(clock.now() + ms).toISOString()
}
