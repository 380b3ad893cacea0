/**
 * A receipt: the durable promise for one call of an operation. The apply worker takes its work from them (PROTOCOL 1,
 * 6).
 */

import type { Audience, ReceiptId, RecordId, RecordKind, WorkspaceId } from './ids.ts'
import { madeAt } from './ports/clock.ts'
import type { Collection } from './ports/documents.ts'
import type { Lane } from './ports/queue.ts'

export const receiptStates = ['accepted', 'processing', 'applied', 'failed', 'rejected', 'expired'] as const
export type ReceiptState = (typeof receiptStates)[number]
/**
 * The formats of receipts and entries that this version knows, oldest first. A worker leaves newer ones alone (PROTOCOL
 * 2.8). An operation, kind or collection that older workers can't handle names its format. An entry has the newest
 * format of what it contains.
 */
const formats = [1, 2] as const
export type Format = (typeof formats)[number]
export const firstFormat: Format = 1
export const newestFormat: number = Math.max(...formats)

export interface ReceiptEntity {
  /** A comment is no record: it belongs to a task. */
  type: RecordKind | 'comment'
  id: RecordId
  label: string
  /** The audience of the record, so that the label is never shown to others. */
  audience: Audience
  /** Of a run: its task. */
  task?: RecordId
  /** The write started a run, which awaited approval at once. */
  awaits?: true
}

export interface ReceiptError {
  code: string
  message: string
  retryable: boolean
  details: Record<string, unknown> | null
}

/** The outcome of a receipt, as an entry holds it. */
export type Decided =
  | { receipt: ReceiptId; state: 'applied'; entity: ReceiptEntity | null; correctable: boolean }
  | { receipt: ReceiptId; state: 'failed' | 'rejected' | 'expired'; error: ReceiptError }

/** The actor at the time of acceptance. Later changes of its key don't affect what the write may see and change. */
export interface AcceptedActor {
  credential: string
  user: string
  teams: string[]
}

export interface Receipt {
  id: ReceiptId
  workspace: WorkspaceId
  /**
   * The owner of the idempotency key, and of the receipt in lists: the user, or `key:<id>` for a key without a user.
   */
  owner: string
  operation: string
  idempotency_key: string
  /** Of the validated input (receipts/input-hash.ts). */
  input_hash: string
  lane: Lane
  actor: AcceptedActor
  accepted_at: string
  updated_at: string
  /** 1 until it has ended, then 0. Queries find open receipts by it. */
  open: number
  state: ReceiptState
  /** 1 until an entry has decided it. drain takes these. */
  undecided: number
  /** The number of the entry that decided it. */
  number: number | null
  attempts: number
  /** How often deciding it threw. */
  errors: number
  format: number
  batch_id: string | null
  external_id: string | null
  entity: ReceiptEntity | null
  correctable: boolean
  error: ReceiptError | null
  ended_at: string | null
  /** The W3C trace id of the request, for the log lines of workers; null: the service made the call itself. */
  trace: string | null
  /** The size of the input as canonical JSON in UTF-8. It limits a batch before its inputs are loaded. */
  input_bytes: number
  /** Removed when the receipt has ended. */
  input: unknown
}

/** A receipt without its input. */
export type ReceiptSeen = Omit<Receipt, 'input'>

export const receipts: Collection<Receipt> = {
  name: 'receipts',
  fields: {
    id: 'string',
    workspace: 'interned',
    owner: 'interned',
    operation: 'interned',
    idempotency_key: 'string',
    input_hash: 'string',
    lane: 'interned',
    actor: 'internedJson',
    accepted_at: 'instant',
    updated_at: 'instant',
    open: 'integer',
    state: 'interned',
    undecided: 'integer',
    number: 'integer',
    attempts: 'integer',
    errors: 'integer',
    format: 'integer',
    batch_id: 'string',
    external_id: 'string',
    entity: 'json',
    correctable: 'boolean',
    error: 'json',
    ended_at: 'instant',
    trace: 'string',
    input_bytes: 'integer',
    // in a side table: lists and look-ups never read it, and the row changes three times
    input: 'sideTable',
  },
  unique: [['workspace', 'owner', 'operation', 'idempotency_key']],
  indexes: [
    // drain: undecided receipts of a lane by caller, oldest first
    ['workspace', 'lane', 'undecided', 'owner', 'accepted_at', 'id'],
    // receipts to set to applied: open ones up to an entry number
    ['workspace', 'open', 'number'],
    // the sweep jumps from workspace to workspace on it
    ['open', 'workspace', 'lane', 'accepted_at'],
    // receipt.list; each further index would cost a write with every change of state
    ['workspace', 'owner', 'id'],
    // owner first: ids of batches can be guessed, and rows of other owners must not be read
    ['workspace', 'owner', 'batch_id', 'id'],
    // pruning
    ['open', 'ended_at'],
  ],
}

export const seenFields = Object.keys(receipts.fields).filter((field) => field !== 'input') as (keyof ReceiptSeen)[]

/** The fields needed to decide a receipt. */
export const pendingFields = [
  'id',
  'workspace',
  'operation',
  'actor',
  'accepted_at',
  'undecided',
  'attempts',
  'errors',
  'format',
  'trace',
  'input',
] as const satisfies (keyof Receipt)[]
export type Pending = Pick<Receipt, (typeof pendingFields)[number]>

/**
 * Sorts by the order of acceptance, which is the order of ids. Ids of a process never decrease, even if the clock is
 * set back: a later receipt must never sort before an earlier one.
 */
export function orderOfAcceptance(id: ReceiptId): string {
  return `${new Date(madeAt(id)).toISOString()}/${id}`
}
