/** The records at head, overlaid with what the entry being made already changes: what decide looks at. */
import type { Audience, RecordId } from '../records/ids.ts'
import type { Envelope, PrecedentRecord } from '../records/record.ts'
import type { Link } from './entry.ts'

export interface StateAtHead {
  /** The current revision. */
  record(id: RecordId): Promise<Envelope | undefined>
  /** Every revision, oldest acceptance first. */
  revisions(id: RecordId): Promise<Envelope[]>
  /** The whole row, with text and body. */
  whole(rowId: string): Promise<PrecedentRecord | undefined>
  /** The current revisions with this external_id within these audiences. */
  withExternalId(audiences: readonly Audience[], externalId: string): Promise<Envelope[]>
  /** Current rows of exactly this audience with this content hash. */
  withContent(audience: Audience, contentHash: string): Promise<Envelope[]>
  /** Links that wait for one of these targets (external_ids or ids). */
  linksTo(targets: readonly string[]): Promise<Link[]>
  /** Links of a successor that are not closed. */
  linksOf(successor: RecordId): Promise<Link[]>
}
