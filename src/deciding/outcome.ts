/** What decide returns: the changes of one write. And the building blocks of outcomes. */
import type { ReceiptEntity } from '../receipt.ts'
import type { Drafts } from '../records/entry-documents.ts'
import type { ChangedFields, Envelope, PrecedentRecord } from '../records/record.ts'
import { cut } from '../records/title.ts'

/** A new row without its sequence, which the entry assigns, and without fields that the projection derives. */
export type NewRow = Without<PrecedentRecord, 'seq' | 'memory_kind'>
type Without<Row, Field extends keyof Row> = Row extends unknown ? Omit<Row, Field> : never

export interface Outcome {
  entity: ReceiptEntity | null
  /** Whether the caller can correct or supersede the entity later. */
  correctable: boolean
  /** New rows in order, then changes of existing rows or of these new ones. */
  created: NewRow[]
  changed: { id: string; set: ChangedFields }[]
  /** New documents of further collections, and existing ones in a new state. */
  documents: Drafts
}

const longestLabel = 500

export const nothingChanged: Outcome = { entity: null, correctable: false, created: [], changed: [], documents: {} }

/** An outcome whose entity is a record that its caller may correct or supersede later. */
export function outcomeAbout(
  record: Entity,
  changes: Partial<Pick<Outcome, 'created' | 'changed' | 'documents'>> = {},
): Outcome {
  return { ...nothingChanged, entity: entityOf(record), correctable: true, ...changes }
}

type Entity = Pick<Envelope, 'kind' | 'record_id' | 'title' | 'audience'>

/** A record as a receipt names it. */
export function entityOf({ kind, record_id, title, audience }: Entity): ReceiptEntity {
  return { type: kind, id: record_id, label: cut(title, longestLabel), audience }
}
