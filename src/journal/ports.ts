/** What the journal's workers depend on. */
import type { Logger } from 'pino'
import type { WorkspaceType } from '../access/actor.ts'
import type { DecideContext } from '../deciding/context.ts'
import type { Outcome } from '../deciding/outcome.ts'
import type { ReceiptId, RecordId, WorkspaceId } from '../ids.ts'
import type { Operation } from '../operation.ts'
import type { Clock } from '../ports/clock.ts'
import type { Documents } from '../ports/documents.ts'
import type { Queue } from '../ports/queue.ts'
import type { SearchEngine } from '../ports/search.ts'
import type { Pending, Receipt } from '../receipt.ts'
import type { Projection } from '../records/projections/projection.ts'
import type { RunPhase } from '../records/run.ts'
import type { RunRules } from '../records/run-rules.ts'
import type { Entry } from './entry.ts'

export interface JournalPorts {
  documents: Documents
  queue: Queue
  search: SearchEngine
  clock: Clock
  log: Logger
  /** By name, including the internal ones. */
  operations: ReadonlyMap<string, Operation<never>>
  /** What an entry becomes, in the order of their writes. */
  projections: readonly Projection[]
  /** Adds to an outcome the questions that it raises and closes. Called for operations with `raisesQuestions`. */
  raiseQuestions<Input>(context: DecideContext<Input>, outcome: Outcome): Promise<Outcome>
  workspaceType(workspace: WorkspaceId): Promise<WorkspaceType>
  /** The policy of runs, and the executors that there are. */
  runRules(): Promise<RunRules>
  /** Identifies the feed. A restored store has another epoch. */
  epoch(): Promise<string>
  /** Notifies callers in this process that wait for these receipts. */
  ended(receipts: readonly ReceiptId[]): void
  /** Notifies callers in this process that watch these runs. If left out, they look by themselves. */
  runsChanged?(runs: readonly RecordId[]): void
  /** Shows an issue in /readyz, such as an entry of a newer format. undefined: the issue is resolved. */
  reportIssue(key: string, message: string | undefined): void
  /** If left out, nobody is notified. */
  watch?: Watch
}

/** Notified of each entry, for logs and metrics. Implementations never throw, and cost very little. */
export interface Watch {
  /** The entry was appended and projected. `batch` has at least the receipts that it decided. */
  decided(entry: Entry, batch: readonly Pending[]): void
  /** The index shows everything up to this entry, and these receipts were set to applied. */
  applied(
    workspace: WorkspaceId,
    number: number,
    receipts: readonly Pick<Receipt, 'id' | 'operation' | 'trace'>[],
  ): void
  /** The number of documents that the search engine refused, and that were stored reduced or not at all. */
  reduced(documents: number): void
  /** A record could not be compared with others, and was skipped. */
  uncompared(): void
  /** If left out, nobody is notified. */
  sessions?: SessionWatch
}

/** Notified of the sessions of runs. */
export interface SessionWatch {
  /** Its worker has ended it, after `ms`. */
  ended(phase: RunPhase, outcome: string, ms: number): void
  /** Maintain has taken its run, because its worker was silent. */
  lost(): void
}
