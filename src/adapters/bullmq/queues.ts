/** The queues of BullMQ, one for each kind and lane: adding and counting jobs. */
import { Queue as BullQueue } from 'bullmq'
import { type Job, type JobKind, type Lane, lanes } from '../../ports/queue.ts'
import type { CommandConnection } from './connection.ts'

/** A failing job is retried until it succeeds, but BullMQ needs a number. */
export const withoutEnd = 1_000_000

export interface Queues {
  add(kind: JobKind, job: Job): Promise<void>
  /** The number of jobs that no worker has fetched. */
  waiting(kind: JobKind, lane: Lane): Promise<number>
  counts(kind: JobKind): Promise<{ waiting: number; active: number }>
  close(): Promise<unknown>
}

export function nameOf(kind: JobKind, lane: Lane): string {
  return `${kind}-${lane}`
}

/** Every method except close throws EngineUnavailable if Redis is away. */
export function queuesOf(connection: CommandConnection, prefix: string): Queues {
  const made = new Map<string, BullQueue<Job>>()

  function queueFor(kind: JobKind, lane: Lane): BullQueue<Job> {
    const name = nameOf(kind, lane)
    const known = made.get(name) ?? queueOf(connection, prefix, name)
    made.set(name, known)
    return known
  }

  return {
    async add(kind, { workspace, lane }) {
      const options = { deduplication: { id: workspace, keepLastIfActive: true } }
      await connection.run(() => queueFor(kind, lane).add(kind, { workspace, lane }, options))
    },

    waiting: (kind, lane) => connection.run(() => queueFor(kind, lane).getWaitingCount()),

    async counts(kind) {
      const ofLanes = await connection.run(() =>
        Promise.all(lanes.map((lane) => countsIn(connection, queueFor(kind, lane)))),
      )
      return ofLanes.reduce((sum, one) => ({ waiting: sum.waiting + one.waiting, active: sum.active + one.active }))
    },

    close: () => Promise.allSettled([...made.values()].map((one) => one.close())),
  }
}

function queueOf(connection: CommandConnection, prefix: string, name: string): BullQueue<Job> {
  const queue = new BullQueue<Job>(name, {
    connection: connection.redis,
    prefix,
    // otherwise it would ask Redis for its version now, and be useless for ever if Redis is away
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
  // the caller gets the error; an 'error' event without a listener would end the process
  queue.on('error', () => {})
  return queue
}

async function countsIn(
  connection: CommandConnection,
  queue: BullQueue<Job>,
): Promise<{ waiting: number; active: number }> {
  const { waiting = 0, delayed = 0, active = 0 } = await queue.getJobCounts('waiting', 'delayed', 'active')
  // BullMQ has no job yet for a job that was added while it was active
  const running = active > 0 ? await queue.getActive() : []
  const again = await Promise.all(
    running.map((job) => (job ? connection.redis.exists(queue.toKey(`dn:${job.data.workspace}`)) : 0)),
  )
  return { waiting: waiting + delayed + again.reduce((sum, one) => sum + one, 0), active }
}
