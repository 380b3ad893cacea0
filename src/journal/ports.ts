/** What the workers of the journal need. */
import type { Logger } from 'pino'
import type { WorkspaceType } from '../access/actor.ts'
import type { Operation } from '../operation.ts'
import type { Clock } from '../ports/clock.ts'
import type { Documents } from '../ports/documents.ts'
import type { Queue } from '../ports/queue.ts'
import type { SearchEngine } from '../ports/search.ts'
import type { Pending, Receipt } from '../receipts/receipt.ts'
import type { ReceiptId, WorkspaceId } from '../records/ids.ts'
import type { Entry } from './entry.ts'

export interface JournalPorts {
  documents: Documents
  queue: Queue
  search: SearchEngine
  clock: Clock
  log: Logger
  /** By name; also the internal ones. */
  operations: ReadonlyMap<string, Operation<never>>
  workspaceType(workspace: WorkspaceId): Promise<WorkspaceType>
  /** Identity of this feed; a restored store has another. */
  epoch(): Promise<string>
  /** Tells those who wait in this process. */
  ended(receipts: readonly ReceiptId[]): void
  /** Something that an operator must know, such as a newer format met: shown by /readyz. */
  reportIssue(key: string, message: string | undefined): void
  /** Left out: nobody listens. */
  watch?: Watch
}

/** Hears what workers did, an entry at a time: for logs and metrics. Never throws, and costs next to nothing. */
export interface Watch {
  /** The entry was appended and is projected; `batch` holds the receipts that it decided, and perhaps others. */
  decided(entry: Entry, batch: readonly Pending[]): void
  /** The index shows everything up to this entry, and these receipts became applied. */
  applied(
    workspace: WorkspaceId,
    number: number,
    receipts: readonly Pick<Receipt, 'id' | 'operation' | 'trace'>[],
  ): void
  /** The search engine refused so many documents as they are: it has less of them, or nothing. */
  reduced(documents: number): void
}
