/** What http needs of the service; src/service.ts makes it. */
import type { Actor } from '../access/actor.ts'
import type { Keys } from '../access/keys.ts'
import type { Rebuilds } from '../journal/ask-rebuild.ts'
import type { Query } from '../operation.ts'
import type { Accepted, Call } from '../receipts/accept.ts'
import type { ReceiptSeen } from '../receipts/receipt.ts'

export interface Served {
  /** Scope, validation, hash, key, checks, secrets, durable receipt, wake-up: in the order of PROTOCOL 1. Throws Problems. */
  accept<Input>(call: Call<Input>): Promise<Accepted>
  /** Many of one import: each is accepted or refused by itself, in as few writes as can be. */
  acceptMany<Input>(calls: readonly Call<Input>[]): Promise<(Accepted | Error)[]>
  /** The receipt once it has ended, or as it is after `ms`. */
  waitForEnd(receipt: ReceiptSeen, ms: number): Promise<ReceiptSeen>
  /** Scope, validation, run. */
  query<Input, Output>(query: Query<Input, Output>, actor: Actor, input: unknown): Promise<Output>
  /** Of the Authorization header; throws authentication_required. */
  authenticate(authorization: string | undefined): Promise<Actor>
  keys: Keys
  rebuilds: Rebuilds
  readiness(): Promise<Readiness>
  /** In the text format of Prometheus. */
  metrics(): Promise<string>
  /** Hears of each request that was answered; `path` is that of its row. */
  answered(method: string, path: string, status: number, seconds: number): void
  /** Answers those who wait with what is known by now: the service is about to stop. */
  releaseWaiting(): void
  publicUrl: string
}

export interface Readiness {
  ready: boolean
  /** Per engine null when it is well, else what is wrong with it. */
  engines: {
    documents: string | null
    queue: string | null
    search: string | null
    /** Left out: there is none. */
    embedder?: string | null
  }
  problems: string[]
}
