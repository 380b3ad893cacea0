/** The queue of one process: wake-ups in memory, deduplicated, interactive first, the workspaces by turns. */
import { strict as assert } from 'node:assert'
import type { Clock } from '../../ports/clock.ts'
import {
  type Handler,
  interactiveInRow,
  type Job,
  type JobKind,
  type Lane,
  lanes,
  type Queue,
  type QueueLog,
  retryDelay,
  type Turn,
} from '../../ports/queue.ts'
import { EngineUnavailable } from '../../ports/unavailable.ts'
import type { WorkspaceId } from '../../records/ids.ts'

export function inProcessQueue(clock: Clock, log?: QueueLog): Queue {
  const lines: Record<JobKind, Line> = { apply: newLine(), index: newLine() }
  let closed = false
  let told = () => {}

  return {
    async add(kind, job) {
      if (closed) throw new EngineUnavailable('queue', 'closed', undefined, 'closed')
      const line = lines[kind]
      const entry = entryOf(line, job)
      if (entry.state === 'active') entry.again = true
      if (entry.state !== 'idle') return
      wait(line, entry)
      pump(kind)
    },

    process(kind, concurrency, handler) {
      const line = lines[kind]
      assert(line.handler === undefined && concurrency >= 1)
      line.handler = handler
      line.concurrency = concurrency
      pump(kind)
    },

    async close(deadline) {
      closed = true
      const ended = new Promise<boolean>((resolve) => {
        told = () => {
          if (lines.apply.active.size + lines.index.active.size === 0) resolve(true)
        }
      })
      told()
      return Promise.race([ended, clock.sleep(deadline).then(() => false)])
    },

    async counts() {
      return { apply: countsOf(lines.apply), index: countsOf(lines.index) }
    },

    async health() {
      return closed ? new EngineUnavailable('queue', 'closed', undefined, 'closed') : undefined
    },
  }

  // in a turn of its own, so that neither add nor a job that adds itself again holds up the event loop
  function pump(kind: JobKind): void {
    const line = lines[kind]
    if (line.pumping || line.handler === undefined) return
    line.pumping = true
    setImmediate(() => {
      line.pumping = false
      while (!closed && line.active.size < line.concurrency) {
        const entry = next(line)
        if (entry === undefined) return
        void run(kind, entry)
      }
    })
  }

  async function run(kind: JobKind, entry: Waiter): Promise<void> {
    const line = lines[kind]
    entry.state = 'active'
    line.active.add(entry.job.workspace)
    try {
      await line.handler?.(entry.job, turnOf(line, entry))
      entry.failures = 0
    } catch (error) {
      entry.failures++
      log?.warn({ err: error, kind, ...entry.job, failures: entry.failures }, 'job failed; it will be retried')
    }
    line.active.delete(entry.job.workspace)
    if (closed) told()
    else if (entry.failures > 0) void tryAgain(kind, entry)
    else finish(line, entry)
    pump(kind)
  }

  function turnOf(line: Line, entry: Waiter): Turn {
    return {
      async giveUp() {
        // after the next start it is found and goes on
        if (closed) return true
        const { workspace } = entry.job
        if (!lanes.some((lane) => startable(line, lane, workspace) !== undefined)) return false
        entry.again = true
        return true
      },
    }
  }

  async function tryAgain(kind: JobKind, entry: Waiter): Promise<void> {
    entry.state = 'delayed'
    await clock.sleep(retryDelay(entry.failures))
    wait(lines[kind], entry)
    pump(kind)
  }
}

/** A workspace and lane. `again`: added while it was active, to run once more. */
interface Waiter {
  job: Job
  state: 'idle' | 'waiting' | 'active' | 'delayed'
  again: boolean
  failures: number
}

interface Line {
  /** What is not idle, by lane and workspace. */
  entries: Map<string, Waiter>
  /** First come, first served; one place a workspace and lane, which is what makes the workspaces take turns. */
  waiting: Record<Lane, Set<Waiter>>
  /** A workspace has one job at a time: those of two lanes would race for its next entry, and one would work in vain. */
  active: Set<WorkspaceId>
  concurrency: number
  handler: Handler | undefined
  pumping: boolean
  inRow: number
}

function newLine(): Line {
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

function entryOf(line: Line, { workspace, lane }: Job): Waiter {
  const key = `${lane} ${workspace}`
  let entry = line.entries.get(key)
  if (entry === undefined) {
    entry = { job: { workspace, lane }, state: 'idle', again: false, failures: 0 }
    line.entries.set(key, entry)
  }
  return entry
}

function wait(line: Line, entry: Waiter): void {
  entry.state = 'waiting'
  entry.again = false
  line.waiting[entry.job.lane].add(entry)
}

function finish(line: Line, entry: Waiter): void {
  if (entry.again) wait(line, entry)
  else line.entries.delete(`${entry.job.lane} ${entry.job.workspace}`)
}

function next(line: Line): Waiter | undefined {
  const interactive = startable(line, 'interactive')
  const imported = startable(line, 'import')
  const isImportDue = interactive === undefined || line.inRow >= interactiveInRow
  const entry = isImportDue ? (imported ?? interactive) : interactive
  if (entry === undefined) return undefined
  line.inRow = entry === imported ? 0 : line.inRow + 1
  line.waiting[entry.job.lane].delete(entry)
  return entry
}

/** The first of the lane whose workspace is idle, or only works for the one that asks. */
function startable({ waiting, active }: Line, lane: Lane, asking?: WorkspaceId): Waiter | undefined {
  for (const entry of waiting[lane]) {
    const { workspace } = entry.job
    if (workspace === asking || !active.has(workspace)) return entry
  }
  return undefined
}

function countsOf(line: Line): { waiting: number; active: number } {
  let waiting = 0
  for (const { state, again } of line.entries.values()) if (state !== 'active' || again) waiting++
  return { waiting, active: line.active.size }
}
