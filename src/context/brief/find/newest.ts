/** Reads the newest records of a kind from the store, and what binds in the whole workspace. */
import type { Reads } from '../../../operation.ts'
import type { Where } from '../../../ports/documents.ts'
import type { MemoryKind } from '../../../records/body.ts'
import { inForce } from '../../../records/in-force.ts'
import type { RecordReader } from '../../../records/read/reader.ts'
import { type Envelope, envelopeFields, type PrecedentRecord, records } from '../../../records/record.ts'
import { binds, type Item, unscored } from './found.ts'

/** Rows of each group of memories; bounded by group, so that no group displaces another. */
export const mostOfAGroup = 50

export function newest(
  which: Where<PrecedentRecord>,
  limit: number,
  reader: RecordReader,
  { documents }: Reads,
): Promise<Envelope[]> {
  return documents.find(records, {
    where: {
      workspace: reader.workspace,
      audience: { in: reader.audiences },
      ...which,
      valid_from: { lte: reader.now },
    },
    sort: [
      ['valid_from', 'desc'],
      ['id', 'desc'],
    ],
    limit,
    fields: envelopeFields,
  })
}

export function newestMemories(reader: RecordReader, reads: Reads, ...kinds: MemoryKind[]): Promise<Envelope[]> {
  return newest({ kind: 'memory', memory_kind: { in: kinds } }, mostOfAGroup, reader, reads)
}

export interface BindingRows {
  constraints: Envelope[]
  commitments: Envelope[]
  /** Memories that correct one of these. The newest 50 corrections may not contain them. */
  corrections: Envelope[]
}

export async function bindingRows(reader: RecordReader, reads: Reads): Promise<BindingRows> {
  const [constraints, commitments] = await Promise.all([
    newestMemories(reader, reads, 'constraint'),
    newestMemories(reader, reads, 'commitment'),
  ])
  const superseded = [...constraints, ...commitments].filter(({ superseded_by }) => superseded_by !== null)
  const heads = await reader.heads(superseded.map((row) => row.record_id))
  return { constraints, commitments, corrections: [...heads.values()].filter(({ kind }) => kind === 'memory') }
}

/** The constraints and commitments in force, those said or confirmed last first. `but`: ids of records to leave out. */
export async function bindingItems(but: ReadonlySet<string>, reader: RecordReader, reads: Reads): Promise<Item[]> {
  const { constraints, commitments, corrections } = await bindingRows(reader, reads)
  const rows = new Map([...constraints, ...commitments, ...corrections].map((row) => [row.record_id, row]))
  const holding = [...rows.values()].filter((row) => inForce(row, reader.now) && !but.has(row.record_id))
  const items = await unscored(holding, reader)
  return items.filter(binds).sort(lastSaidFirst)
}

export function lastSaidFirst(a: Item, b: Item): number {
  if (a.said_at !== b.said_at) return a.said_at < b.said_at ? 1 : -1
  return a.record.record_id < b.record.record_id ? -1 : 1
}
