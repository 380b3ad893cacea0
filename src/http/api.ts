/** What the HTTP layer calls. src/service.ts implements it. */
import type { Actor } from '../access/actor.ts'
import type { Keys } from '../access/keys.ts'
import type { Rebuilds } from '../journal/ask-rebuild.ts'
import type { Query } from '../operation.ts'
import type { Accepted, Call } from '../receipts/accept.ts'
import type { ReceiptSeen } from '../receipts/receipt.ts'

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
  /** Returns the actor of an Authorization header. Throws authentication_required. */
  authenticate(authorization: string | undefined): Promise<Actor>
  keys: Keys
  rebuilds: Rebuilds
  readiness(): Promise<Readiness>
  /** Returns the metrics in the text format of Prometheus. */
  metrics(): Promise<string>
  /** Counts an answered request. `path` is the path of its row. */
  answered(method: string, path: string, status: number, seconds: number): void
  /** Ends all long polls with the current state, because the service is about to stop. */
  releaseWaiting(): void
  publicUrl: string
}

export interface Readiness {
  ready: boolean
  /** For each engine: null, or what is wrong with it. */
  engines: {
    documents: string | null
    queue: string | null
    search: string | null
    /** Left out: no embedder is configured. */
    embedder?: string | null
  }
  problems: string[]
}
