/**
 * One operation or query is one file that calls defineOperation or defineQuery. HTTP routes, CLI verbs and OpenAPI are
 * thin tables over them. An operation is accepted by web (receipts/accept.ts) and decided by the apply worker
 * (journal/drain.ts); a query reads and has no effect.
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
  /** Dotted name of the specification, such as `context.remember`. */
  name: string
  scope: Scope
  summary: string
  input: z.ZodType<Input>
  /** The texts of an input that are searched for credentials before anything is stored. */
  texts(input: Input): Text[]
  /** What a field that is left out stands for, where that depends on the caller: to say so is the same input. */
  defaults?(input: Input, workspaceType: WorkspaceType): Partial<Input>
  /** web: a quick no against the store, before anything is promised. Throws a Problem. */
  check?(context: CheckContext<Input>): Promise<void>
  /** What decide will look up, so that a batch reads it at once. */
  lookups?(input: Input, actor: DecideContext<Input>['actor'], workspaceType: WorkspaceType): Lookups
  /** apply worker: decides on the state at head; returns changes, touches nothing. Throws a Problem to fail its receipt. */
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
  /** As accepted, not as its key says now. */
  actor: { user: string; teams: readonly string[]; audiences: readonly Audience[]; credential: string }
  workspaceType: WorkspaceType
  state: StateAtHead
  /** When the entry is decided, ISO 8601. */
  at: string
  newId(): RecordId
}

/** A row as decide proposes it: its sequence is given when the entry is made, what is only looked up when it is projected. */
export type NewRow = Without<PrecedentRecord, 'seq' | 'memory_kind'>
type Without<Row, Field extends keyof Row> = Row extends unknown ? Omit<Row, Field> : never

export interface Outcome {
  entity: ReceiptEntity | null
  /** The caller may correct or supersede it later. */
  correctable: boolean
  /** New rows, in order; then changes of rows that are there already or new in this outcome. */
  created: NewRow[]
  changed: { id: string; set: ChangedFields }[]
  /** Links opened or, by id, moved to another state. */
  links: DraftLink[]
}

export function defineOperation<Input>(operation: Operation<Input>): Operation<Input> {
  return operation
}

export interface Query<Input = unknown, Output = unknown> {
  name: string
  /** null: any credential that is in force. */
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

/** What queries read through. */
export interface Reads {
  documents: Documents
  search: SearchEngine
  clock: Clock
  cursors: Cursors
  /** The receipt once it has ended, or as it is after `ms`. */
  waitForEnd(receipt: ReceiptSeen, ms: number): Promise<ReceiptSeen>
  /** Absolute urls begin with it, without a slash at the end. */
  publicUrl: string
  /** Absent: no embedder is configured, and searches match words only. */
  queryEmbedder?: QueryEmbedder
}

export function defineQuery<Input, Output>(query: Query<Input, Output>): Query<Input, Output> {
  return query
}
