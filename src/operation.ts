/**
 * The shape of operations and queries. Each is one file that calls defineOperation or defineQuery; HTTP routes, CLI
 * verbs and OpenAPI are thin tables over them. The web process accepts an operation (receipts/accept.ts), and the apply
 * worker decides it (journal/drain.ts). A query only reads.
 */
import type { z } from 'zod'
import type { Actor, Scope, WorkspaceType } from './access/actor.ts'
import type { Cursors } from './access/cursors.ts'
import type { CodeReads } from './code/stored/store.ts'
import type { DecideContext } from './deciding/context.ts'
import type { Outcome } from './deciding/outcome.ts'
import type { Lookups } from './deciding/state-at-head.ts'
import type { Clock } from './ports/clock.ts'
import type { Documents } from './ports/documents.ts'
import type { SearchEngine } from './ports/search.ts'
import type { Format, ReceiptSeen } from './receipt.ts'
import type { Visible } from './records/read/visible.ts'
import type { RunRules } from './records/run-rules.ts'
import type { RunWatching } from './records/watched-run.ts'
import type { Text } from './secrets/texts.ts'
import type { QueryEmbedder } from './text/query-embedder.ts'

export interface Operation<Input = unknown> {
  /** The name in the specification, such as `context.remember`. */
  name: string
  scope: Scope
  summary: string
  input: z.ZodType<Input>
  /** The format of its receipts, if older workers can't decide them. Default: the first. */
  format?: Format
  /** The texts of an input to search for credentials before anything is stored. */
  texts(input: Input): Text[]
  /**
   * Default values that depend on the caller, besides those of the schema. Giving a default and leaving the field out are
   * the same input.
   */
  defaults?(input: Input, workspaceType: WorkspaceType): Partial<Input>
  /** web process: quick checks against the store, before the receipt is made. Throws a Problem to refuse the call. */
  check?(context: CheckContext<Input>): Promise<void>
  /** Everything that decide will look up, so that a batch can read it in a few queries. */
  lookups?(input: Input, actor: DecideContext<Input>['actor'], workspaceType: WorkspaceType): Lookups
  /**
   * apply worker: decides on the state at head. Returns the changes and writes nothing. A Problem fails the receipt.
   */
  decide(context: DecideContext<Input>): Promise<Outcome>
  /**
   * Whether the apply worker also adds the questions that the outcome raises, and closes those that it answers
   * (questions/raise). Every operation that changes records says so, except those of questions and of tasks.
   */
  raisesQuestions: boolean
}

export interface CheckContext<Input> {
  input: Input
  actor: Actor
  documents: Documents
  /** A stored record that the actor sees; throws not_found. */
  visible: Visible
  /** The policy of runs, and the executors that there are. */
  runRules(): Promise<RunRules>
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
  /** The policy of runs, and the executors that there are. */
  runRules(): Promise<RunRules>
  /** Follows runs for watchers, who share its reads. */
  runs: RunWatching
  /** The start of absolute urls, without a slash at the end. */
  publicUrl: string
  /** Absent: no embedder is configured, and searches match words only. */
  queryEmbedder?: QueryEmbedder
  /** Absent: no repository is connected. */
  code?: CodeReads
}

export function defineQuery<Input, Output>(query: Query<Input, Output>): Query<Input, Output> {
  return query
}

/** A long answer that sends events while they happen. It ends with the iteration, or when its reader has left. */
export interface EventStream<Input = unknown> {
  name: string
  /** null: any valid credential. */
  scope: Scope | null
  summary: string
  /** If it has the field `last_event_id`, a client that reconnects continues after the event that it read last. */
  input: z.ZodType<Input>
  /**
   * Checks what the caller may see, before anything is answered. Throws Problems. undefined: nothing will follow. The
   * iteration must end soon after `signal` is aborted. It is asked for the next event only after the reader has taken the
   * events before.
   */
  open(context: QueryContext<Input> & { signal: AbortSignal }): Promise<AsyncIterable<StreamEvent> | undefined>
}

export interface StreamEvent {
  /** Where a client that reconnects continues. One line. */
  id?: string
  /** One line. */
  event: string
  /** Sent as JSON. */
  data: unknown
}

export function defineEventStream<Input>(stream: EventStream<Input>): EventStream<Input> {
  return stream
}
