/** Runs jobs: a worker of BullMQ for each kind and lane, which share the turns of their kind. */
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
import { type Working, workingRedis } from './connection.ts'
import { type Lines, nameOf, withoutEnd } from './lines.ts'
import type { BullmqSettings } from './queue.ts'
import { type Turns, turnsOf } from './turns.ts'

export interface Workers {
  begin(kind: JobKind, concurrency: number, handler: Handler): void
  /** true: the jobs under way ended within `deadline` ms. */
  close(deadline: number): Promise<boolean>
}

/** ms after which the job of a worker that died is taken from it, and between two looks for such jobs. */
const lockedFor = 20_000
const lookedForEvery = 10_000
/** ms that an import which was fetched lets interactive jobs pass that wait, and between two looks for those. */
const yieldsFor = 2_000
const yieldsEvery = 20
/** ms that closing takes once the handlers have ended. */
const tidiesWithin = 2_000

/** Connects when the first kind begins; waits for Redis as long as it is away. */
export function workersIn({ url, prefix }: BullmqSettings, lines: Lines, clock: Clock, log: QueueLog): Workers {
  const workers: Worker<Job>[] = []
  const turns = new Map<JobKind, Turns>()
  const running = new Set<Promise<void>>()
  let working: Working | undefined
  let closed = false

  return {
    begin(kind, concurrency, handler) {
      assert(concurrency >= 1 && !closed && !turns.has(kind))
      working ??= workingRedis(url, (error) => {
        if (!closed) log.warn({ err: error }, 'Redis is away: workers take no wake-ups until it is back')
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

  function workerOf({ redis }: Working, kind: JobKind, lane: Lane, concurrency: number, handler: Handler): Worker<Job> {
    const worker = new Worker<Job>(nameOf(kind, lane), (taken, token) => runInTurn(kind, lane, handler, taken, token), {
      connection: redis,
      prefix,
      // one place stays for interactive jobs where there are several
      concurrency: lane === 'interactive' ? concurrency : Math.max(1, concurrency - 1),
      lockDuration: lockedFor,
      stalledInterval: lookedForEvery,
      maxStalledCount: withoutEnd,
      settings: { backoffStrategy: retryDelay },
    })
    worker.on('error', (error) => {
      // of a connection that is away was told already
      if (!closed && redis.status === 'ready') log.warn({ err: error, kind, lane }, 'a worker of the queue failed')
    })
    return worker
  }

  async function runInTurn(kind: JobKind, lane: Lane, handler: Handler, taken: BullJob<Job>, token?: string) {
    const shared = turns.get(kind) as Turns
    if (lane === 'import') await letPass(kind, shared)
    if (!(await shared.take(lane))) {
      // closed: another process takes it
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
      log.warn({ err: error, kind, workspace, lane, failures }, 'a job threw and is tried again')
      throw error
    }
  }

  function turnOf(kind: JobKind, job: Job): Turn {
    return {
      async giveUp() {
        // another process takes it
        if (closed) return true
        try {
          if (!(await isWaitedFor(kind))) return false
          await lines.add(kind, job)
          return true
        } catch {
          // Redis is away: nobody would go on with it
          return false
        }
      },
    }
  }

  /** In this process, or by a job that no worker has fetched. */
  async function isWaitedFor(kind: JobKind): Promise<boolean> {
    if (turns.get(kind)?.isWaitedFor()) return true
    const unfetched = await Promise.all(lanes.map((lane) => lines.waiting(kind, lane)))
    return unfetched.some((count) => count > 0)
  }

  /** An import that was fetched waits for interactive jobs that no worker has fetched yet. */
  async function letPass(kind: JobKind, shared: Turns): Promise<void> {
    const until = clock.elapsed() + yieldsFor
    while (!closed && !shared.importIsDue() && clock.elapsed() < until) {
      // where nobody can tell, none is waited for
      if (!shared.isFull() && (await lines.waiting(kind, 'interactive').catch(() => 0)) === 0) return
      await clock.sleep(yieldsEvery)
    }
  }
}
