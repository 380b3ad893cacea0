/**
 * The queue port: wake-ups, and nothing more. It may lose every job, run one twice, or run two at once;
 * what must not be lost is in the documents (PROTOCOL 1).
 */
import type { WorkspaceId } from '../records/ids.ts'
import type { EngineUnavailable } from './unavailable.ts'

export type JobKind = 'apply' | 'index'

/** Interactive goes before import. */
export const lanes = ['interactive', 'import'] as const
export type Lane = (typeof lanes)[number]

/** Jobs of one kind, workspace and lane are deduplicated: at most one active and one waiting. */
export interface Job {
  workspace: WorkspaceId
  lane: Lane
}

/** The place of a job among those that run. */
export interface Turn {
  /**
   * true: another job of the kind waits, and this one was put behind it, so its handler returns now. false: none waits,
   * or the queue can't take the job back; the handler goes on.
   */
  giveUp(): Promise<boolean>
}

/** Of work that no queue runs: it goes on to its end. */
export const alone: Turn = { giveUp: async () => false }

export type Handler = (job: Job, turn: Turn) => Promise<void>

export interface Queue {
  /** Rejects with EngineUnavailable at once where the engine is away (never waits for it). */
  add(kind: JobKind, job: Job): Promise<void>

  /**
   * Begins to run jobs of one kind, `concurrency` at a time, interactive before import.
   * A handler that throws is tried again with back-off (1 s doubling to 30 s). One that has much to do asks its turn now
   * and then whether to give up its place, so that workspaces take turns.
   */
  process(kind: JobKind, concurrency: number, handler: Handler): void

  /** Takes no more jobs; waits for the active ones, at most `deadline` ms. true: all had ended. */
  close(deadline: number): Promise<boolean>

  counts(): Promise<Record<JobKind, { waiting: number; active: number }>>

  /** undefined: well. Else what is wrong, for /readyz (its kind) and the log (its message). */
  health(): Promise<EngineUnavailable | undefined>
}

export interface QueueLog {
  warn(fields: object, message: string): void
}

/** So many interactive jobs in a row, then one import: a backfill waits, but never for ever. */
export const interactiveInRow = 16

const firstDelay = 1000
const longestDelay = 30_000

/** ms until a job that threw so many times in a row (1 and more) is tried again: doubles from 1 s to 30 s. */
export function retryDelay(failures: number): number {
  return Math.min(longestDelay, firstDelay * 2 ** Math.min(failures - 1, 16))
}
