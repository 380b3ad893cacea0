/** An entry of the journal: one document, and the only commit point of a workspace (PROTOCOL 2). */
import type { Collection } from '../ports/documents.ts'
import type { ReceiptEntity, ReceiptError } from '../receipts/receipt.ts'
import type { Audience, ReceiptId, RecordId, WorkspaceId } from '../records/ids.ts'
import type { ChangedFields, PrecedentRecord } from '../records/record.ts'

/** How one receipt was decided. */
export type Decided =
  | { receipt: ReceiptId; state: 'applied'; entity: ReceiptEntity | null; correctable: boolean }
  | { receipt: ReceiptId; state: 'failed' | 'rejected' | 'expired'; error: ReceiptError }

/** A new row is written whole; a changed one as its changed fields, never its text again. Both carry their own sequence. */
export type RowChange =
  | { type: 'new'; row: PrecedentRecord }
  | { type: 'changed'; id: string; seq: number; set: ChangedFields & { seq?: number } }

export type LinkState = 'target' | 'dated' | 'held' | 'taken' | 'closed'

/** A `supersedes` that waits: for its target to come, or for its instant. */
export interface Link {
  id: string
  workspace: WorkspaceId
  /** The record that supersedes. */
  successor: RecordId
  /** An external_id or a record's id. */
  target: string
  /** The instant at which it takes effect, at the earliest. */
  due: string
  /**
   * target: waits for its target to come. dated: the target is there, the instant is not. held: the successor is a
   * proposal or rejected. taken: done, and only this link and the target's row name both, because some who see the
   * successor don't see the target. closed: done or void.
   */
  state: LinkState
  /** Audiences of the actor that wrote it: a target outside of them is not its target. */
  audiences: Audience[]
  reason: string | null
  /** Number of the entry of its last change: it only moves forward. */
  entry: number
}

export interface Entry {
  id: string
  workspace: WorkspaceId
  number: number
  first_seq: number
  last_seq: number
  at: string
  format: number
  /** true once pruned: the number stays for ever, the content is gone. */
  emptied: boolean
  receipts: Decided[]
  records: RowChange[]
  links: Link[]
}

export const entries: Collection<Entry> = {
  name: 'journal',
  fields: {
    id: 'string',
    workspace: 'interned',
    number: 'integer',
    first_seq: 'integer',
    last_seq: 'integer',
    at: 'instant',
    format: 'integer',
    emptied: 'boolean',
    receipts: 'json',
    records: 'json',
    links: 'json',
  },
  unique: [['workspace', 'number']],
  indexes: [['workspace', 'emptied', 'number']],
}

export const links: Collection<Link> = {
  name: 'links',
  fields: {
    id: 'string',
    workspace: 'interned',
    successor: 'string',
    target: 'string',
    due: 'instant',
    state: 'interned',
    audiences: 'internedJson',
    reason: 'string',
    entry: 'integer',
  },
  unique: [],
  indexes: [
    ['workspace', 'target', 'state'],
    ['workspace', 'successor', 'state'],
    ['state', 'due'],
  ],
}

/** How far the projections of a workspace have come. */
export interface Checkpoint {
  /** The workspace. */
  id: WorkspaceId
  /** Number and last sequence of the newest entry that is wholly projected. */
  projected: number
  projected_seq: number
  /** Number of the newest entry that the live search index shows. */
  indexed: number
  indexed_seq: number
  /** Name of the live search index. */
  live: string
  /** The rebuild that may replace it, and none other; null: none is under way. */
  filling: string | null
}

export const checkpoints: Collection<Checkpoint> = {
  name: 'checkpoints',
  fields: {
    id: 'string',
    projected: 'integer',
    projected_seq: 'integer',
    indexed: 'integer',
    indexed_seq: 'integer',
    live: 'string',
    filling: 'string',
  },
  unique: [],
  indexes: [['id'], ['live', 'id']],
}
