/**
 * The queue port on BullMQ (src/ports/queue.ts): a queue of BullMQ's for each kind and lane, whose jobs are
 * deduplicated by workspace. Redis may lose all of it: what must not be lost is in the documents.
 */
import { strict as assert } from 'node:assert'
import { type Job as BullJob, Queue as BullQueue, WaitingError, Worker } from 'bullmq'
import type { Clock } from '../../ports/clock.ts'
import type { Job, JobKind, Queue } from '../../ports/queue.ts'
import { EngineUnavailable } from '../../ports/unavailable.ts'
import type { Lane } from '../../receipts/receipt.ts'
import { coalesced } from './coalesce.ts'
import { askingRedis, type Working, workingRedis } from './connection.ts'
import { faultOf } from './health.ts'
import { type Turns, turnsOf } from './turns.ts'

export interface QueueLog {
  warn(fields: object, message: string): void
}

export interface BullmqSettings {
  /** redis:// or rediss://, with user, password and number of the database where there are any. */
  url: string
  /** Of all keys: services that share a Redis have different ones. */
  prefix: string
}

const kinds: readonly JobKind[] = ['apply', 'index']
const lanes: readonly Lane[] = ['interactive', 'import']

/** Back-off after a throw: doubles from the first to the longest, in ms. */
const firstDelay = 1000
const longestDelay = 30_000
/** A job that throws is tried until it succeeds: BullMQ wants a number. */
const withoutEnd = 1_000_000
/** ms after which the job of a worker that died is taken from it, and between two looks for such jobs. */
const lockedFor = 20_000
const lookedForEvery = 10_000
/** ms that an import which was fetched lets interactive jobs pass that wait, and between two looks for those. */
const yieldsFor = 2_000
const yieldsEvery = 20
/** ms that closing takes once the handlers have ended. */
const tidiesWithin = 2_000

/** Connects when first asked. */
export function bullmqQueue({ url, prefix }: BullmqSettings, clock: Clock, log: QueueLog): Queue {
  const asking = askingRedis(url)
  const together = coalesced()
  const queues = each((kind, lane) => queueOf(kind, lane))
  const workers: Worker<Job>[] = []
  const turns: Turns[] = []
  const running = new Set<Promise<void>>()
  let working: Working | undefined
  let closed = false

  return {
    async add(kind, { workspace, lane }) {
      if (closed) throw new EngineUnavailable('redis', 'closed')
      const send = async () => {
        const options = { deduplication: { id: workspace, keepLastIfActive: true } }
        await asking.ask(() => queues[kind][lane].add(kind, { workspace, lane }, options))
      }
      await together(`${kind} ${lane} ${workspace}`, send)
    },

    process(kind, concurrency, handler) {
      assert(concurrency >= 1 && !closed && !workers.some((worker) => worker.name === nameOf(kind, 'interactive')))
      working ??= heard(workingRedis(url))
      const shared = turnsOf(concurrency)
      turns.push(shared)
      for (const lane of lanes) workers.push(workerOf(kind, lane, concurrency, shared, handler))
    },

    async close(deadline) {
      closed = true
      for (const one of turns) one.close()
      const tidied = Promise.allSettled(
        [...workers, ...queues.apply.all, ...queues.index.all].map((one) => one.close()),
      )
      const ended = Promise.all(running).then(() => Promise.race([tidied, clock.sleep(tidiesWithin)]))
      await Promise.race([ended, clock.sleep(deadline)])
      working?.disconnect()
      asking.redis.disconnect()
      return running.size === 0
    },

    async counts() {
      const [apply, index] = await Promise.all([countsOf('apply'), countsOf('index')])
      return { apply, index }
    },

    async health() {
      if (closed) return 'redis: closed'
      try {
        return faultOf(await asking.ask(() => asking.redis.info()))
      } catch (error) {
        return (error as Error).message
      }
    },
  }

  function queueOf(kind: JobKind, lane: Lane): BullQueue<Job> {
    const queue = new BullQueue<Job>(nameOf(kind, lane), {
      connection: asking.redis,
      prefix,
      // else it would ask Redis for its version now, and be of no use for ever if that were away
      skipWaitingForReady: true,
      skipVersionCheck: true,
      skipMetasUpdate: true,
      defaultJobOptions: {
        removeOnComplete: true,
        removeOnFail: true,
        attempts: withoutEnd,
        backoff: { type: 'doubling' },
        stackTraceLimit: 1,
      },
    })
    // whoever asked is told; this would end the process
    queue.on('error', () => {})
    return queue
  }

  function workerOf(
    kind: JobKind,
    lane: Lane,
    concurrency: number,
    shared: Turns,
    handler: (job: Job) => Promise<void>,
  ): Worker<Job> {
    const run = async (taken: BullJob<Job>, token?: string) => {
      if (lane === 'import') await letPass(kind, shared)
      if (closed || !(await shared.take(lane))) {
        await taken.moveToWait(token)
        throw new WaitingError()
      }
      const { workspace } = taken.data
      const handled = handler({ workspace, lane })
        .catch((error: unknown) => {
          const failures = taken.attemptsMade + 1
          log.warn({ err: error, kind, workspace, lane, failures }, 'a job threw and is tried again')
          throw error
        })
        .finally(() => {
          running.delete(tracked)
          shared.give()
        })
      const tracked = handled.catch(() => {})
      running.add(tracked)
      await handled
    }
    const worker = new Worker<Job>(nameOf(kind, lane), run, {
      connection: (working as Working).redis,
      prefix,
      // one place stays for interactive jobs where there are several
      concurrency: lane === 'interactive' ? concurrency : Math.max(1, concurrency - 1),
      lockDuration: lockedFor,
      stalledInterval: lookedForEvery,
      maxStalledCount: withoutEnd,
      settings: { backoffStrategy: (failures) => Math.min(longestDelay, firstDelay * 2 ** Math.min(failures - 1, 16)) },
    })
    worker.on('error', (error) => {
      // of a connection that is away, `heard` tells once
      if (!closed && working?.redis.status === 'ready')
        log.warn({ err: error, kind, lane }, 'a worker of the queue failed')
    })
    return worker
  }

  /** An import that was fetched waits for interactive jobs that no worker has fetched yet. */
  async function letPass(kind: JobKind, shared: Turns): Promise<void> {
    const until = clock.now() + yieldsFor
    while (!closed && !shared.importIsDue() && clock.now() < until) {
      if (!shared.isFull() && (await waitingIn(kind, 'interactive')) === 0) return
      await clock.sleep(yieldsEvery)
    }
  }

  /** 0 where nobody can tell. */
  function waitingIn(kind: JobKind, lane: Lane): Promise<number> {
    return asking.ask(() => queues[kind][lane].getWaitingCount()).catch(() => 0)
  }

  async function countsOf(kind: JobKind): Promise<{ waiting: number; active: number }> {
    const ofLanes = await asking.ask(() => Promise.all(queues[kind].all.map(countsIn)))
    return ofLanes.reduce((sum, one) => ({ waiting: sum.waiting + one.waiting, active: sum.active + one.active }))
  }

  async function countsIn(queue: BullQueue<Job>): Promise<{ waiting: number; active: number }> {
    const counts = await queue.getJobCounts('waiting', 'delayed', 'active')
    // what was added while it ran is no job of BullMQ's yet
    const active = (counts.active ?? 0) > 0 ? await queue.getActive() : []
    const again = await Promise.all(
      active.map((job) => (job ? asking.redis.exists(queue.toKey(`dn:${job.data.workspace}`)) : 0)),
    )
    const waiting = (counts.waiting ?? 0) + (counts.delayed ?? 0) + again.reduce((sum, one) => sum + one, 0)
    return { waiting, active: counts.active ?? 0 }
  }

  function heard(made: Working): Working {
    let away = false
    made.redis.on('error', (error: Error) => {
      if (!away && !closed) log.warn({ err: error }, 'Redis is away: workers take no wake-ups until it is back')
      away = true
    })
    made.redis.on('ready', () => (away = false))
    return made
  }
}

type OfLanes = Record<Lane, BullQueue<Job>> & { all: BullQueue<Job>[] }

function each(make: (kind: JobKind, lane: Lane) => BullQueue<Job>): Record<JobKind, OfLanes> {
  const ofKind = (kind: JobKind): OfLanes => {
    const made = { interactive: make(kind, 'interactive'), import: make(kind, 'import') }
    return { ...made, all: lanes.map((lane) => made[lane]) }
  }
  return Object.fromEntries(kinds.map((kind) => [kind, ofKind(kind)])) as Record<JobKind, OfLanes>
}

function nameOf(kind: JobKind, lane: Lane): string {
  return `${kind}-${lane}`
}
