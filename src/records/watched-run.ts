/** A run as its watchers follow it. src/runs/watching.ts shares the reads of all watchers of a process. */
import type { RecordId, WorkspaceId } from '../ids.ts'
import type { RunState } from './run.ts'

export interface RunWatching {
  /** Whoever joins must see the run. The first one causes the reads, and the others share them. Call `leave` at the end. */
  join(workspace: WorkspaceId, run: RecordId): Promise<WatchedRun>
  /** Called by writers in this process, so that watchers need not wait for the next look. */
  changed(runs: readonly RecordId[]): void
  /** Ends all waiting, because the service is about to stop. */
  close(): void
}

export interface WatchedRun {
  now(): RunNow
  /** The milestones after this number, in order, and at most `most`. */
  page(after: number, most: number): Promise<SeenMilestone[]>
  /** Resolves once there is something newer than `seen`, after `ms`, when the signal is aborted, or when the service stops. */
  newer(seen: RunNow, until: { ms?: number; signal?: AbortSignal }): Promise<void>
  leave(): void
}

export interface RunNow {
  state: RunState
  /** The number of its newest milestone; 0: it has none. */
  last: number
  /** It has ended, and no milestone will follow. */
  isOver: boolean
}

export interface SeenMilestone {
  number: number
  at: string
  type: 'milestone' | 'session'
  title: string
  text?: string
  data?: Record<string, unknown>
  session_id: string
}
