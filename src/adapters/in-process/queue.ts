/**
 * The queue of one process: keeps wake-ups in memory, without duplicates. Interactive jobs go first, and workspaces
 * take turns.
 */
import { strict as assert } from 'node:assert'
import type { WorkspaceId } from '../../ids.ts'
import { backOff } from '../../ports/back-off.ts'
import type { Clock } from '../../ports/clock.ts'
import {
  forEachJobKind,
  type Handler,
  interactiveInRow,
  type Job,
  type JobKind,
  jobPauses,
  type Lane,
  lanes,
  type Queue,
  type QueueLog,
  type Turn,
} from '../../ports/queue.ts'
import { EngineUnavailable } from '../../ports/unavailable.ts'

export function inProcessQueue(clock: Clock, log?: QueueLog): Queue {
  const queues = forEachJobKind(newJobQueue)
  let closed = false
  let told = () => {}

  return {
    async add(kind, job) {
      if (closed) throw new EngineUnavailable('queue', 'closed', undefined, 'closed')
      const queue = queues[kind]
      const entry = entryOf(queue, job)
      if (entry.state === 'active') entry.again = true
      if (entry.state !== 'idle') return
      wait(queue, entry)
      pump(kind)
    },

    process(kind, concurrency, handler) {
      const queue = queues[kind]
      assert(queue.handler === undefined && concurrency >= 1)
      queue.handler = handler
      queue.concurrency = concurrency
      pump(kind)
    },

    async close(deadline) {
      closed = true
      const ended = new Promise<boolean>((resolve) => {
        told = () => {
          if (Object.values(queues).every(({ active }) => active.size === 0)) resolve(true)
        }
      })
      told()
      return Promise.race([ended, clock.sleep(deadline).then(() => false)])
    },

    async counts() {
      return forEachJobKind((kind) => countsOf(queues[kind]))
    },

    async health() {
      return closed ? new EngineUnavailable('queue', 'closed', undefined, 'closed') : undefined
    },
  }

  // in a later tick, so that neither add() nor a job that adds itself again blocks the event loop
  function pump(kind: JobKind): void {
    const queue = queues[kind]
    if (queue.pumping || queue.handler === undefined) return
    queue.pumping = true
    setImmediate(() => {
      queue.pumping = false
      while (!closed && queue.active.size < queue.concurrency) {
        const entry = next(queue)
        if (entry === undefined) return
        void run(kind, entry)
      }
    })
  }

  async function run(kind: JobKind, entry: Waiter): Promise<void> {
    const queue = queues[kind]
    entry.state = 'active'
    queue.active.add(entry.job.workspace)
    try {
      await queue.handler?.(entry.job, turnOf(queue, entry))
      entry.failures = 0
    } catch (error) {
      entry.failures++
      log?.warn({ err: error, kind, ...entry.job, failures: entry.failures }, 'job failed; it will be retried')
    }
    queue.active.delete(entry.job.workspace)
    if (closed) told()
    else if (entry.failures > 0) void tryAgain(kind, entry)
    else finish(queue, entry)
    pump(kind)
  }

  function turnOf(queue: JobQueue, entry: Waiter): Turn {
    return {
      async giveUp() {
        // the work is found again after the next start
        if (closed) return true
        const { workspace } = entry.job
        if (!lanes.some((lane) => startable(queue, lane, workspace) !== undefined)) return false
        entry.again = true
        return true
      },
    }
  }

  async function tryAgain(kind: JobKind, entry: Waiter): Promise<void> {
    entry.state = 'delayed'
    await clock.sleep(backOff(entry.failures, jobPauses, clock.random))
    wait(queues[kind], entry)
    pump(kind)
  }
}

/** A workspace and lane. `again`: added while it was active, so it must run once more. */
interface Waiter {
  job: Job
  state: 'idle' | 'waiting' | 'active' | 'delayed'
  again: boolean
  failures: number
}

interface JobQueue {
  /** All that are not idle, by lane and workspace. */
  entries: Map<string, Waiter>
  /** First come, first served. Each workspace and lane is queued once, so workspaces take turns. */
  waiting: Record<Lane, Set<Waiter>>
  /**
   * One job per workspace at a time: jobs of both lanes would compete for the same next entry, and one would work in
   * vain.
   */
  active: Set<WorkspaceId>
  concurrency: number
  handler: Handler | undefined
  pumping: boolean
  inRow: number
}

function newJobQueue(): JobQueue {
  return {
    entries: new Map(),
    waiting: { interactive: new Set(), import: new Set() },
    active: new Set(),
    concurrency: 0,
    handler: undefined,
    pumping: false,
    inRow: 0,
  }
}

function entryOf(queue: JobQueue, { workspace, lane }: Job): Waiter {
  const key = `${lane} ${workspace}`
  let entry = queue.entries.get(key)
  if (entry === undefined) {
    entry = { job: { workspace, lane }, state: 'idle', again: false, failures: 0 }
    queue.entries.set(key, entry)
  }
  return entry
}

function wait(queue: JobQueue, entry: Waiter): void {
  entry.state = 'waiting'
  entry.again = false
  queue.waiting[entry.job.lane].add(entry)
}

function finish(queue: JobQueue, entry: Waiter): void {
  if (entry.again) wait(queue, entry)
  else queue.entries.delete(`${entry.job.lane} ${entry.job.workspace}`)
}

function next(queue: JobQueue): Waiter | undefined {
  const interactive = startable(queue, 'interactive')
  const imported = startable(queue, 'import')
  const isImportDue = interactive === undefined || queue.inRow >= interactiveInRow
  const entry = isImportDue ? (imported ?? interactive) : interactive
  if (entry === undefined) return undefined
  queue.inRow = entry === imported ? 0 : queue.inRow + 1
  queue.waiting[entry.job.lane].delete(entry)
  return entry
}

/** The first job of the lane whose workspace is idle, or is active only with the asking job. */
function startable({ waiting, active }: JobQueue, lane: Lane, asking?: WorkspaceId): Waiter | undefined {
  for (const entry of waiting[lane]) {
    const { workspace } = entry.job
    if (workspace === asking || !active.has(workspace)) return entry
  }
  return undefined
}

function countsOf(queue: JobQueue): { waiting: number; active: number } {
  let waiting = 0
  for (const { state, again } of queue.entries.values()) if (state !== 'active' || again) waiting++
  return { waiting, active: queue.active.size }
}
