/** Building blocks for the outcomes of operations. */
import type { Outcome } from '../operation.ts'
import type { ReceiptEntity } from '../receipts/receipt.ts'
import type { Envelope } from './record.ts'
import { cut } from './title.ts'

const longestLabel = 500

export const nothingChanged: Outcome = { entity: null, correctable: false, created: [], changed: [], links: [] }

/** An outcome whose entity is a record that its caller may correct or supersede later. */
export function outcomeAbout(
  record: Entity,
  changes: Partial<Pick<Outcome, 'created' | 'changed' | 'links'>> = {},
): Outcome {
  return { ...nothingChanged, entity: entityOf(record), correctable: true, ...changes }
}

type Entity = Pick<Envelope, 'kind' | 'record_id' | 'title' | 'audience'>

/** A record as a receipt names it. */
export function entityOf({ kind, record_id, title, audience }: Entity): ReceiptEntity {
  return { type: kind, id: record_id, label: cut(title, longestLabel), audience }
}
