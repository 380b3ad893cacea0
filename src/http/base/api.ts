/** What the HTTP layer calls. src/service.ts implements it. */
import type { Actor } from '../../access/actor.ts'
import type { Keys } from '../../access/keys.ts'
import type { OperatedRepositories } from '../../code/operating/operated.ts'
import type { Rebuilds } from '../../indexing/ask-rebuild.ts'
import type { EventStream, Query, StreamEvent } from '../../operation.ts'
import type { ReceiptSeen } from '../../receipt.ts'
import type { Call } from '../../receipts/accept.ts'
import type { Accepted } from '../../receipts/earlier.ts'

export interface Api {
  /**
   * Accepts one write in the order of PROTOCOL 1: scope, validation, hash, key, checks, secrets, receipt, wake-up.
   * Throws Problems.
   */
  accept<Input>(call: Call<Input>): Promise<Accepted>
  /** Accepts or refuses each write of an import by itself, with few writes to the store. */
  acceptMany<Input>(calls: readonly Call<Input>[]): Promise<(Accepted | Error)[]>
  /** Returns the receipt when it has ended, or its current state after `ms`. */
  waitForEnd(receipt: ReceiptSeen, ms: number): Promise<ReceiptSeen>
  /** Checks the scope, validates the input and runs the query. */
  query<Input, Output>(query: Query<Input, Output>, actor: Actor, input: unknown): Promise<Output>
  /** Checks the scope, validates the input and opens the stream. undefined: nothing will follow. */
  openStream<Input>(
    stream: EventStream<Input>,
    actor: Actor,
    input: unknown,
    signal: AbortSignal,
  ): Promise<AsyncIterable<StreamEvent> | undefined>
  /**
   * Returns the actor of an Authorization header. Throws authentication_required. `againIn`: ms after which the caller
   * asks again; a revoked key is then refused in time by that call.
   */
  authenticate(authorization: string | undefined, againIn?: number): Promise<Actor>
  keys: Keys
  rebuilds: Rebuilds
  repositories: OperatedRepositories
  readiness(): Promise<Readiness>
  /** Returns the metrics in the text format of Prometheus. */
  metrics(): Promise<string>
  /** Counts an answered request. `path` is the path of its row, `tool` the tool that it called. */
  answered(method: string, path: string, status: number, seconds: number, tool?: string): void
  /** Ends all long polls with the current state, because the service is about to stop. */
  releaseWaiting(): void
  publicUrl: string
}

export interface Readiness {
  ready: boolean
  /** For each engine: null, or its problem. */
  engines: {
    documents: string | null
    queue: string | null
    search: string | null
    /** Left out: no embedder is configured. */
    embedder?: string | null
  }
  problems: string[]
}
