/**
 * The queue port carries wake-ups only. It may lose every job, run one twice, or run two at once. Everything that must
 * not be lost is in the documents (PROTOCOL 1).
 */
import type { WorkspaceId } from '../ids.ts'
import type { Pauses } from './back-off.ts'
import type { EngineUnavailable } from './unavailable.ts'

/** Each kind has a queue for each lane, and a worker of its name that runs its jobs (config/processes.ts). */
export const jobKinds = ['apply', 'index', 'run'] as const
export type JobKind = (typeof jobKinds)[number]

/** Interactive jobs run before import jobs. */
export const lanes = ['interactive', 'import'] as const
export type Lane = (typeof lanes)[number]

/** Jobs of one kind, workspace and lane are deduplicated: at most one is active and one waits. */
export interface Job {
  workspace: WorkspaceId
  lane: Lane
}

/** The place of a running job. */
export interface Turn {
  /**
   * true: another job of the kind waits, and this one was queued behind it, so the handler must return now. false: no
   * job waits, or the queue can't requeue this one, so the handler goes on.
   */
  giveUp(): Promise<boolean>
}

/** For work that no queue runs: it is never asked to stop. */
export const alone: Turn = { giveUp: async () => false }

export type Handler = (job: Job, turn: Turn) => Promise<void>

export interface Queue {
  /** Rejects with EngineUnavailable at once if the engine is unreachable. It never waits for the engine. */
  add(kind: JobKind, job: Job): Promise<void>

  /**
   * Starts to run jobs of one kind, `concurrency` at a time, interactive before import. If a handler throws, its job is
   * retried with back-off (`jobPauses`). A long handler calls turn.giveUp() from time to time, so that
   * workspaces take turns.
   */
  process(kind: JobKind, concurrency: number, handler: Handler): void

  /** Takes no more jobs and waits at most `deadline` ms for the active ones. true: all have ended. */
  close(deadline: number): Promise<boolean>

  counts(): Promise<Record<JobKind, { waiting: number; active: number }>>

  /** undefined: the engine is healthy. Otherwise the fault: its kind is for /readyz, its message for the log. */
  health(): Promise<EngineUnavailable | undefined>
}

export function forEachJobKind<T>(make: (kind: JobKind) => T): Record<JobKind, T> {
  return Object.fromEntries(jobKinds.map((kind) => [kind, make(kind)])) as Record<JobKind, T>
}

/**
 * Drops wake-ups once the service is stopping. Otherwise its own workers would take the jobs; other processes find them
 * by polling.
 */
export function addsUntil(stopping: AbortSignal, queue: Queue): Queue {
  return { ...queue, add: async (kind, job) => (stopping.aborted ? undefined : queue.add(kind, job)) }
}

export interface QueueLog {
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
}

/** By queue: the wake-ups that failed since the last one that worked. */
const failures = new WeakMap<Queue, number>()

/**
 * Best effort, and never rejects: if the wake-up fails or is lost, polling finds the work. An outage fails one wake-up
 * for each write, so only its first failure and its end are logged.
 */
export async function wakeWorker(
  { queue, log }: { queue: Queue; log: QueueLog },
  kind: JobKind,
  job: Job,
): Promise<void> {
  try {
    await queue.add(kind, job)
  } catch (error) {
    const before = failures.get(queue) ?? 0
    failures.set(queue, before + 1)
    if (before === 0)
      log.warn({ kind, err: error }, 'could not wake a worker; until it works again, polling finds work')
    return
  }
  const failed = failures.get(queue)
  if (failed === undefined) return
  failures.delete(queue)
  log.info({ failed }, 'workers can be woken again')
}

/** After this many interactive jobs in a row one import runs, so that an import can't wait for ever. */
export const interactiveInRow = 16

/** ms until a failed job is retried. */
export const jobPauses: Pauses = { first: 1_000, longest: 30_000 }
