/** An entry of the journal: one document. Appending it is the only commit point of a workspace (PROTOCOL 2). */
import type { Collection } from '../ports/documents.ts'
import type { ReceiptEntity, ReceiptError } from '../receipts/receipt.ts'
import type { Audience, ReceiptId, RecordId, WorkspaceId } from '../records/ids.ts'
import type { ChangedFields, PrecedentRecord } from '../records/record.ts'

/** The outcome of one receipt. */
export type Decided =
  | { receipt: ReceiptId; state: 'applied'; entity: ReceiptEntity | null; correctable: boolean }
  | { receipt: ReceiptId; state: 'failed' | 'rejected' | 'expired'; error: ReceiptError }

/**
 * A new row is stored whole. A change stores only the changed fields, never the text again. Each has its own sequence.
 */
export type RowChange =
  | { type: 'new'; row: PrecedentRecord }
  | { type: 'changed'; id: string; seq: number; set: ChangedFields & { seq?: number } }

export type LinkState = 'target' | 'dated' | 'held' | 'taken' | 'closed'

/** A `supersedes` that can't take effect yet: its target is missing, or its instant has not come. */
export interface Link {
  id: string
  workspace: WorkspaceId
  /** The superseding record. */
  successor: RecordId
  /** The external_id or id of the record to supersede. */
  target: string
  /** The earliest instant at which it takes effect. */
  due: string
  /**
   * target: waits until its target exists. dated: waits for its instant. held: on hold, because the successor is a
   * proposal or was rejected. taken: done, but only this link and the target's row know it, because some readers of the
   * successor may not see the target. closed: done or void.
   */
  state: LinkState
  /** The audiences of the writer. A record outside of them can't be its target. */
  audiences: Audience[]
  reason: string | null
  /** The number of the entry that changed it last. It only increases. */
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
  /** true: the entry was pruned. Its number stays for ever, its content is gone. */
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
  /** Number and last sequence of the newest entry that is fully projected. */
  projected: number
  projected_seq: number
  /** The newest entry that the live search index shows. */
  indexed: number
  indexed_seq: number
  /** The name of the live search index. */
  live: string
  /** The only rebuild that may replace the live index; null: no rebuild is running. */
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
