/** Runs jobs: one BullMQ worker for each kind and lane. The workers of a kind share its turns. */
import { strict as assert } from 'node:assert'
import { type Job as BullJob, WaitingError, Worker } from 'bullmq'
import type { Clock } from '../../ports/clock.ts'
import {
  type Handler,
  type Job,
  type JobKind,
  type Lane,
  lanes,
  type QueueLog,
  retryDelay,
  type Turn,
} from '../../ports/queue.ts'
import { openWorkerConnection, type WorkerConnection } from './connection.ts'
import type { BullmqSettings } from './queue.ts'
import { nameOf, type Queues, withoutEnd } from './queues.ts'
import { type Turns, turnsOf } from './turns.ts'

export interface Workers {
  begin(kind: JobKind, concurrency: number, handler: Handler): void
  /** true: the running jobs ended within `deadline` ms. */
  close(deadline: number): Promise<boolean>
}

/** ms until the job of a dead worker is taken over, and between two checks for such jobs. */
const lockedFor = 20_000
const lookedForEvery = 10_000
/** ms that a fetched import waits for interactive jobs at most, and between two checks for them. */
const yieldsFor = 2_000
const yieldsEvery = 20
/** ms for closing the connections once the handlers have ended. */
const tidiesWithin = 2_000

/** Connects when the first kind begins. Waits while Redis is away. */
export function workersIn({ url, prefix }: BullmqSettings, queues: Queues, clock: Clock, log: QueueLog): Workers {
  const workers: Worker<Job>[] = []
  const turns = new Map<JobKind, Turns>()
  const running = new Set<Promise<void>>()
  let working: WorkerConnection | undefined
  let closed = false

  return {
    begin(kind, concurrency, handler) {
      assert(concurrency >= 1 && !closed && !turns.has(kind))
      working ??= openWorkerConnection(url, (error) => {
        if (!closed) log.warn({ err: error }, 'Redis unavailable; workers poll until it is back')
      })
      turns.set(kind, turnsOf(concurrency))
      for (const lane of lanes) workers.push(workerOf(working, kind, lane, concurrency, handler))
    },

    async close(deadline) {
      closed = true
      for (const one of turns.values()) one.close()
      const tidied = Promise.allSettled(workers.map((one) => one.close()))
      const ended = Promise.all(running).then(() => Promise.race([tidied, clock.sleep(tidiesWithin)]))
      await Promise.race([ended, clock.sleep(deadline)])
      working?.disconnect()
      return running.size === 0
    },
  }

  function workerOf(
    { redis }: WorkerConnection,
    kind: JobKind,
    lane: Lane,
    concurrency: number,
    handler: Handler,
  ): Worker<Job> {
    const worker = new Worker<Job>(nameOf(kind, lane), (taken, token) => runInTurn(kind, lane, handler, taken, token), {
      connection: redis,
      prefix,
      // if there are several places, one stays free for interactive jobs
      concurrency: lane === 'interactive' ? concurrency : Math.max(1, concurrency - 1),
      lockDuration: lockedFor,
      stalledInterval: lookedForEvery,
      maxStalledCount: withoutEnd,
      settings: { backoffStrategy: retryDelay },
    })
    worker.on('error', (error) => {
      // an outage of the connection has been logged already
      if (!closed && redis.status === 'ready') log.warn({ err: error, kind, lane }, 'queue worker failed')
    })
    return worker
  }

  async function runInTurn(kind: JobKind, lane: Lane, handler: Handler, taken: BullJob<Job>, token?: string) {
    const shared = turns.get(kind) as Turns
    if (lane === 'import') await letPass(kind, shared)
    if (!(await shared.take(lane))) {
      // closing: another process takes the job
      await taken.moveToWait(token)
      throw new WaitingError()
    }
    const handled = run(kind, lane, handler, taken).finally(() => shared.give())
    const tracked = handled.catch(() => {}).finally(() => running.delete(tracked))
    running.add(tracked)
    await handled
  }

  async function run(kind: JobKind, lane: Lane, handler: Handler, taken: BullJob<Job>): Promise<void> {
    const { workspace } = taken.data
    try {
      await handler({ workspace, lane }, turnOf(kind, { workspace, lane }))
    } catch (error) {
      const failures = taken.attemptsMade + 1
      log.warn({ err: error, kind, workspace, lane, failures }, 'job failed; it will be retried')
      throw error
    }
  }

  function turnOf(kind: JobKind, job: Job): Turn {
    return {
      async giveUp() {
        // closing: another process takes the job
        if (closed) return true
        try {
          if (!(await isWaitedFor(kind))) return false
          await queues.add(kind, job)
          return true
        } catch {
          // Redis is away: if this worker stopped, no other would continue
          return false
        }
      },
    }
  }

  /** Whether a job waits in this process, or has not been fetched by any worker. */
  async function isWaitedFor(kind: JobKind): Promise<boolean> {
    if (turns.get(kind)?.isWaitedFor()) return true
    const unfetched = await Promise.all(lanes.map((lane) => queues.waiting(kind, lane)))
    return unfetched.some((count) => count > 0)
  }

  /** A fetched import lets interactive jobs go first that no worker has fetched yet. */
  async function letPass(kind: JobKind, shared: Turns): Promise<void> {
    const until = clock.elapsed() + yieldsFor
    while (!closed && !shared.importIsDue() && clock.elapsed() < until) {
      // if Redis can't tell, don't wait
      if (!shared.isFull() && (await queues.waiting(kind, 'interactive').catch(() => 0)) === 0) return
      await clock.sleep(yieldsEvery)
    }
  }
}
