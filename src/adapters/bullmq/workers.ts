/** Runs jobs. There is one BullMQ worker for each kind and lane. The workers of a kind share its turns. */
import { strict as assert } from 'node:assert'
import { type Job as BullJob, WaitingError, Worker } from 'bullmq'
import { backOff } from '../../ports/back-off.ts'
import type { Clock } from '../../ports/clock.ts'
import {
  type Handler,
  type Job,
  type JobKind,
  jobPauses,
  type Lane,
  lanes,
  type QueueLog,
  type Turn,
} from '../../ports/queue.ts'
import { type BullmqSettings, connectWorkers, isLostConnection, type WorkerConnection } from './connection.ts'
import { type JobQueues, nameOf, withoutEnd } from './job-queues.ts'
import { type Turns, turnsOf } from './turns.ts'

export interface Workers {
  begin(kind: JobKind, concurrency: number, handler: Handler): void
  /** Resolves with true if the running jobs have ended within `deadline` ms. */
  close(deadline: number): Promise<boolean>
}

/** ms after which the job of a dead worker is taken from it, and ms between two searches for such jobs. */
const lockedFor = 20_000
const searchEvery = 10_000
/** ms that a fetched import lets waiting interactive jobs go first, and ms between two checks for them. */
const yieldsFor = 2_000
const yieldsEvery = 20
/** ms for closing the workers once the handlers have ended. */
const closesWithin = 2_000

/** Connects when the first kind begins. Waits while Redis is unreachable. */
export function workersIn({ url, prefix }: BullmqSettings, queues: JobQueues, clock: Clock, log: QueueLog): Workers {
  const workers: Worker<Job>[] = []
  const turns = new Map<JobKind, Turns>()
  const running = new Set<Promise<void>>()
  let connection: WorkerConnection | undefined
  let closed = false

  return {
    begin(kind, concurrency, handler) {
      assert(concurrency >= 1 && !closed && !turns.has(kind))
      const onLost = (error: Error) => {
        const consequence = 'until it is back, workers get no jobs and poll for work every 5 s'
        if (!closed) log.warn({ err: error }, `Redis is unreachable; ${consequence}`)
      }
      const onBack = () => {
        if (!closed) log.info({}, 'Redis is reachable again; workers get jobs')
      }
      connection ??= connectWorkers(url, onLost, onBack)
      turns.set(kind, turnsOf(concurrency))
      for (const lane of lanes) workers.push(workerOf(connection, kind, lane, concurrency, handler))
    },

    async close(deadline) {
      closed = true
      for (const one of turns.values()) one.close()
      const closedAll = Promise.allSettled(workers.map((one) => one.close()))
      const ended = Promise.all(running).then(() => Promise.race([closedAll, clock.sleep(closesWithin)]))
      await Promise.race([ended, clock.sleep(deadline)])
      connection?.disconnect()
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
      // if there are several places, one is reserved for interactive jobs
      concurrency: lane === 'interactive' ? concurrency : Math.max(1, concurrency - 1),
      lockDuration: lockedFor,
      stalledInterval: searchEvery,
      maxStalledCount: withoutEnd,
      settings: { backoffStrategy: (failures) => Math.ceil(backOff(failures, jobPauses)) },
    })
    worker.on('error', (error) => {
      // the loss of a connection is logged once, by the connection that the workers share
      if (!closed && redis.status === 'ready' && !isLostConnection(error))
        log.warn({ err: error, kind, lane }, 'queue worker failed')
    })
    return worker
  }

  async function runInTurn(kind: JobKind, lane: Lane, handler: Handler, taken: BullJob<Job>, token?: string) {
    const shared = turns.get(kind) as Turns
    if (lane === 'import') await yieldToInteractive(kind, shared)
    if (!(await shared.take(lane))) {
      // closed: put the job back for another process
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
        // closed: another process continues it
        if (closed) return true
        try {
          if (!(await isWaitedFor(kind))) return false
          await queues.add(kind, job)
          return true
        } catch {
          // Redis is unreachable, so no other process could continue the work
          return false
        }
      },
    }
  }

  /** Another job of this kind is waiting: in this process, or not yet fetched by any worker. */
  async function isWaitedFor(kind: JobKind): Promise<boolean> {
    if (turns.get(kind)?.isWaitedFor()) return true
    const unfetched = await Promise.all(lanes.map((lane) => queues.waiting(kind, lane)))
    return unfetched.some((count) => count > 0)
  }

  /** Makes a fetched import wait while there are interactive jobs that no worker has fetched. */
  async function yieldToInteractive(kind: JobKind, shared: Turns): Promise<void> {
    const until = clock.elapsed() + yieldsFor
    while (!closed && !shared.importIsDue() && clock.elapsed() < until) {
      // if the count cannot be read, do not wait
      if (!shared.isFull() && (await queues.waiting(kind, 'interactive').catch(() => 0)) === 0) return
      await clock.sleep(yieldsEvery)
    }
  }
}
