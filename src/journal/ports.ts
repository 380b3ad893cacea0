/** What the workers of the journal need. */
import type { Logger } from 'pino'
import type { WorkspaceType } from '../access/actor.ts'
import type { Operation } from '../operation.ts'
import type { Clock } from '../ports/clock.ts'
import type { Documents } from '../ports/documents.ts'
import type { Queue } from '../ports/queue.ts'
import type { SearchEngine } from '../ports/search.ts'
import type { ReceiptId, WorkspaceId } from '../records/ids.ts'

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
  concern(key: string, message: string | undefined): void
}
