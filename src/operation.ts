/**
 * The shape of operations and queries. Each is one file that calls defineOperation or defineQuery; HTTP routes, CLI
 * verbs and OpenAPI are thin tables over them. The web process accepts an operation (receipts/accept.ts), and the apply
 * worker decides it (journal/drain.ts). A query only reads.
 */
import type { z } from 'zod'
import type { Actor, Scope, WorkspaceType } from './access/actor.ts'
import type { Cursors } from './access/cursors.ts'
import type { Lookups, StateAtHead } from './journal/state.ts'
import type { Clock } from './ports/clock.ts'
import type { Documents } from './ports/documents.ts'
import type { SearchEngine } from './ports/search.ts'
import type { Receipt, ReceiptEntity, ReceiptSeen } from './receipts/receipt.ts'
import type { Text } from './receipts/secrets/texts.ts'
import type { Audience, RecordId } from './records/ids.ts'
import type { DraftLink } from './records/link.ts'
import type { ChangedFields, PrecedentRecord } from './records/record.ts'
import type { QueryEmbedder } from './text/query-embedder.ts'

export interface Operation<Input = unknown> {
  /** The name in the specification, such as `context.remember`. */
  name: string
  scope: Scope
  summary: string
  input: z.ZodType<Input>
  /** The texts of an input to search for credentials before anything is stored. */
  texts(input: Input): Text[]
  /** Default values that depend on the caller. Giving a default and leaving the field out are the same input. */
  defaults?(input: Input, workspaceType: WorkspaceType): Partial<Input>
  /** web process: quick checks against the store, before the receipt is made. Throws a Problem to refuse the call. */
  check?(context: CheckContext<Input>): Promise<void>
  /** Everything that decide will look up, so that a batch can read it in a few queries. */
  lookups?(input: Input, actor: DecideContext<Input>['actor'], workspaceType: WorkspaceType): Lookups
  /**
   * apply worker: decides on the state at head. Returns the changes and writes nothing. A Problem fails the receipt.
   */
  decide(context: DecideContext<Input>): Promise<Outcome>
}

export interface CheckContext<Input> {
  input: Input
  actor: Actor
  documents: Documents
}

export interface DecideContext<Input> {
  input: Input
  receipt: Pick<Receipt, 'id' | 'accepted_at' | 'workspace'>
  /** The actor at the time of acceptance; its key may have changed since. */
  actor: { user: string; teams: readonly string[]; audiences: readonly Audience[]; credential: string }
  workspaceType: WorkspaceType
  state: StateAtHead
  /** When the entry is made, ISO 8601. */
  at: string
  newId(): RecordId
}

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
  /** New links, and existing ones in a new state. */
  links: DraftLink[]
}

export function defineOperation<Input>(operation: Operation<Input>): Operation<Input> {
  return operation
}

export interface Query<Input = unknown, Output = unknown> {
  name: string
  /** null: any valid credential. */
  scope: Scope | null
  summary: string
  input: z.ZodType<Input>
  output: z.ZodType<Output>
  run(context: QueryContext<Input>): Promise<Output>
}

export interface QueryContext<Input> {
  input: Input
  actor: Actor
  reads: Reads
}

/** The dependencies of queries. */
export interface Reads {
  documents: Documents
  search: SearchEngine
  clock: Clock
  cursors: Cursors
  /** The receipt after it has ended, or its current state after `ms`. */
  waitForEnd(receipt: ReceiptSeen, ms: number): Promise<ReceiptSeen>
  /** The start of absolute urls, without a slash at the end. */
  publicUrl: string
  /** Absent: no embedder is configured, and searches match words only. */
  queryEmbedder?: QueryEmbedder
}

export function defineQuery<Input, Output>(query: Query<Input, Output>): Query<Input, Output> {
  return query
}
