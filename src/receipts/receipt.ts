/** A receipt: the durable promise for one call of an operation, and the outbox of the apply worker (PROTOCOL 1, 6). */
import { madeAt } from '../ports/clock.ts'
import type { Collection } from '../ports/documents.ts'
import type { Lane } from '../ports/queue.ts'
import type { Audience, ReceiptId, RecordId, WorkspaceId } from '../records/ids.ts'

export const receiptStates = ['accepted', 'processing', 'applied', 'failed', 'rejected', 'expired'] as const
export type ReceiptState = (typeof receiptStates)[number]
/** Written into receipts and entries; a worker that meets a newer one leaves it (PROTOCOL 2.8). */
export const format = 1

export interface ReceiptEntity {
  type: 'memory' | 'decision' | 'question' | 'task'
  id: RecordId
  label: string
  /** Who may see the record, so that the label is never shown to others. */
  audience: Audience
}

export interface ReceiptError {
  code: string
  message: string
  retryable: boolean
  details: Record<string, unknown> | null
}

/** The actor as accepted: what it may see and write is decided by this, not by what its key says later. */
export interface AcceptedActor {
  credential: string
  user: string
  teams: string[]
}

export interface Receipt {
  id: ReceiptId
  workspace: WorkspaceId
  /** Who the idempotency key belongs to, and whose receipts are listed: the user, `key:<id>` without one. */
  owner: string
  operation: string
  idempotency_key: string
  /** SHA-256 over canonical JSON of the validated input, without the key and without defaults. */
  input_hash: string
  lane: Lane
  actor: AcceptedActor
  accepted_at: string
  updated_at: string
  /** 1 until it has ended, then 0: the field by which pending ones are found. */
  open: number
  state: ReceiptState
  /** 1 while no entry has decided it: what drain takes. */
  undecided: number
  /** Number of the entry that decided it. */
  number: number | null
  attempts: number
  /** How many times deciding it threw. */
  errors: number
  format: number
  batch_id: string | null
  external_id: string | null
  entity: ReceiptEntity | null
  correctable: boolean
  error: ReceiptError | null
  ended_at: string | null
  /** W3C trace id of the request that made it; null: the service itself did. In the log lines of whoever works on it. */
  trace: string | null
  /** Size of the input as canonical JSON in UTF-8, so that a batch is bounded before it is loaded. */
  input_bytes: number
  /** Dropped when it has ended. */
  input: unknown
}

/** What callers and look-ups read: all but the input. */
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
    // what lists and look-ups never read, in a row that changes three times
    input: 'sideTable',
  },
  unique: [['workspace', 'owner', 'operation', 'idempotency_key']],
  indexes: [
    // drain: the lane's undecided ones of each caller, oldest first
    ['workspace', 'lane', 'undecided', 'owner', 'accepted_at', 'id'],
    // the step to applied: open ones up to an entry number
    ['workspace', 'open', 'number'],
    // the sweep hops on it from workspace to workspace
    ['open', 'workspace', 'lane', 'accepted_at'],
    // receipt.list; each further index would be written with every change of state
    ['workspace', 'owner', 'id'],
    // the owner comes first: the batches of others have ids that can be guessed, and none of their rows is looked at
    ['workspace', 'owner', 'batch_id', 'id'],
    // pruning
    ['open', 'ended_at'],
  ],
}

export const seenFields = Object.keys(receipts.fields).filter((field) => field !== 'input') as (keyof ReceiptSeen)[]

/** What deciding needs of a receipt. */
export const pendingFields = [
  'id',
  'workspace',
  'operation',
  'actor',
  'accepted_at',
  'undecided',
  'attempts',
  'errors',
  'trace',
  'input',
] as const satisfies (keyof Receipt)[]
export type Pending = Pick<Receipt, (typeof pendingFields)[number]>

/**
 * Sorts as the receipts were accepted. By the id alone: ids of a process never go back, not when its clock is set back
 * either, and what was accepted later must not become history.
 */
export function orderOfAcceptance(id: ReceiptId): string {
  return `${new Date(madeAt(id)).toISOString()}/${id}`
}
