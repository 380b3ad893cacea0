/** Adds jobs and counts them. There is one BullMQ queue for each kind and lane. */
import { Queue as BullQueue } from 'bullmq'
import { type Job, type JobKind, type Lane, lanes } from '../../ports/queue.ts'
import type { ProducerConnection } from './connection.ts'

/** Attempts of a job. A job that throws is retried until it succeeds, but BullMQ needs a number. */
export const withoutEnd = 1_000_000

export interface JobQueues {
  add(kind: JobKind, job: Job): Promise<void>
  /** Jobs that no worker has fetched. */
  waiting(kind: JobKind, lane: Lane): Promise<number>
  counts(kind: JobKind): Promise<{ waiting: number; active: number }>
  close(): Promise<unknown>
}

export function nameOf(kind: JobKind, lane: Lane): string {
  return `${kind}-${lane}`
}

/** All methods except close() throw EngineUnavailable if Redis is unreachable. */
export function jobQueuesOf(producer: ProducerConnection, prefix: string): JobQueues {
  const made = new Map<string, BullQueue<Job>>()

  function queueOf(kind: JobKind, lane: Lane): BullQueue<Job> {
    const name = nameOf(kind, lane)
    const known = made.get(name) ?? openQueue(producer, prefix, name)
    made.set(name, known)
    return known
  }

  return {
    async add(kind, { workspace, lane }) {
      const options = { deduplication: { id: workspace, keepLastIfActive: true } }
      await producer.run(() => queueOf(kind, lane).add(kind, { workspace, lane }, options))
    },

    waiting: (kind, lane) => producer.run(() => queueOf(kind, lane).getWaitingCount()),

    async counts(kind) {
      const perLane = await producer.run(() =>
        Promise.all(lanes.map((lane) => countsIn(producer, queueOf(kind, lane)))),
      )
      return perLane.reduce((sum, one) => ({ waiting: sum.waiting + one.waiting, active: sum.active + one.active }))
    },

    close: () => Promise.allSettled([...made.values()].map((one) => one.close())),
  }
}

function openQueue(producer: ProducerConnection, prefix: string, name: string): BullQueue<Job> {
  const queue = new BullQueue<Job>(name, {
    connection: producer.redis,
    prefix,
    // without these, the queue asks Redis for its version now, and if Redis is unreachable then, it never works again
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
  // the caller gets the error too; without a listener, it would end the process
  queue.on('error', () => {})
  return queue
}

async function countsIn(
  producer: ProducerConnection,
  queue: BullQueue<Job>,
): Promise<{ waiting: number; active: number }> {
  const { waiting = 0, delayed = 0, active = 0 } = await queue.getJobCounts('waiting', 'delayed', 'active')
  // BullMQ keeps a job that was added while the same one runs under a separate key, not in a queue
  const running = active > 0 ? await queue.getActive() : []
  const again = await Promise.all(
    running.map((job) => (job ? producer.redis.exists(queue.toKey(`dn:${job.data.workspace}`)) : 0)),
  )
  return { waiting: waiting + delayed + again.reduce((sum, one) => sum + one, 0), active }
}
