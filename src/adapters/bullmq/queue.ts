/**
 * The queue port on BullMQ (src/ports/queue.ts). There is one BullMQ queue for each kind and lane, and its jobs are
 * deduplicated by workspace. Redis may lose all jobs: everything that must not be lost is in the documents.
 */
import type { Clock } from '../../ports/clock.ts'
import { forEachJobKind, jobKinds, type Queue, type QueueLog } from '../../ports/queue.ts'
import { EngineUnavailable, faultIn } from '../../ports/unavailable.ts'
import { coalesced } from './coalesce.ts'
import { type BullmqSettings, connectProducer } from './connection.ts'
import { faultOf } from './health.ts'
import { jobQueuesOf } from './job-queues.ts'
import { workersIn } from './workers.ts'

/** Connects at the first call. */
export function bullmqQueue(settings: BullmqSettings, clock: Clock, log: QueueLog): Queue {
  const producer = connectProducer(settings.url)
  const queues = jobQueuesOf(producer, settings.prefix)
  const workers = workersIn(settings, queues, clock, log)
  const together = coalesced()
  let closed = false

  return {
    async add(kind, job) {
      if (closed) throw new EngineUnavailable('redis', 'closed', undefined, 'closed')
      await together(`${kind} ${job.lane} ${job.workspace}`, () => queues.add(kind, job))
    },

    process: (kind, concurrency, handler) => workers.begin(kind, concurrency, handler),

    async close(deadline) {
      closed = true
      const ended = await workers.close(deadline)
      await queues.close()
      producer.redis.disconnect()
      return ended
    },

    async counts() {
      const counted = await Promise.all(jobKinds.map((kind) => queues.counts(kind)))
      return forEachJobKind((kind) => counted[jobKinds.indexOf(kind)] as (typeof counted)[number])
    },

    async health() {
      if (closed) return new EngineUnavailable('redis', 'closed', undefined, 'closed')
      try {
        return faultOf(await producer.run(() => producer.redis.info()))
      } catch (error) {
        return faultIn('redis', error)
      }
    },
  }
}
