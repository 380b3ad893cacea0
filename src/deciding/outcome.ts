/** What decide returns: the changes of one write. And the building blocks of outcomes. */
import type { ReceiptEntity } from '../receipt.ts'
import type { Drafts } from '../records/entry-documents.ts'
import type { ChangedFields, Envelope, PrecedentRecord } from '../records/record.ts'
import type { DraftSuccession } from '../records/succession.ts'
import { cut } from '../records/title.ts'

/** A new row without its sequence, which the entry assigns, and without fields that the projection derives. */
export type NewRow = Without<PrecedentRecord, 'seq' | 'memory_kind'>
type Without<Row, Field extends keyof Row> = Row extends unknown ? Omit<Row, Field> : never

/** The change of one row. */
export interface RowUpdate {
  id: string
  set: ChangedFields
  /** A successor that the row has no room for any more. It is carried like `documents`. */
  further?: DraftSuccession
}

export interface Outcome {
  entity: ReceiptEntity | null
  /** Whether the caller can correct or supersede the entity later. */
  correctable: boolean
  /** New rows in order, then changes of existing rows or of these new ones. */
  created: NewRow[]
  changed: RowUpdate[]
  /** New documents of further collections, and existing ones in a new state. */
  documents: Drafts
}

/** All documents that the outcome carries. */
export function documentsIn({ documents, changed }: Outcome): Drafts {
  const further = changed.flatMap((one) => one.further ?? [])
  return further.length === 0
    ? documents
    : { ...documents, successions: [...(documents.successions ?? []), ...further] }
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
