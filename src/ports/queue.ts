/**
 * The queue port: wake-ups, and nothing more. It may lose every job, run one twice, or run two at once;
 * what must not be lost is in the documents (PROTOCOL 1).
 */
import type { Lane } from '../receipts/receipt.ts'
import type { WorkspaceId } from '../records/ids.ts'

export type JobKind = 'apply' | 'index'

/** Jobs of one kind, workspace and lane are deduplicated: at most one active and one waiting. */
export interface Job {
  workspace: WorkspaceId
  lane: Lane
}

export interface Queue {
  /** Rejects with EngineUnavailable at once where the engine is away (never waits for it). */
  add(kind: JobKind, job: Job): Promise<void>

  /**
   * Begins to run jobs of one kind, `concurrency` at a time, interactive before import.
   * A handler that throws is tried again with back-off (1 s doubling to 30 s).
   */
  process(kind: JobKind, concurrency: number, handler: (job: Job) => Promise<void>): void

  /** Takes no more jobs; waits for the active ones, at most `deadline` ms. true: all had ended. */
  close(deadline: number): Promise<boolean>

  counts(): Promise<Record<JobKind, { waiting: number; active: number }>>

  /** undefined: well. Else what is wrong, for /readyz. */
  health(): Promise<string | undefined>
}
