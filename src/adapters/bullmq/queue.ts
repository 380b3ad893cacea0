/**
 * The queue port on BullMQ (src/ports/queue.ts), with one BullMQ queue for each kind and lane. Jobs are deduplicated by
 * workspace. Redis may lose everything: all that must not be lost is in the documents.
 */
import type { Clock } from '../../ports/clock.ts'
import type { Queue, QueueLog } from '../../ports/queue.ts'
import { EngineUnavailable, faultIn } from '../../ports/unavailable.ts'
import { coalesced } from './coalesce.ts'
import { openCommandConnection } from './connection.ts'
import { faultOf } from './health.ts'
import { queuesOf } from './queues.ts'
import { workersIn } from './workers.ts'

export interface BullmqSettings {
  /** redis:// or rediss://, optionally with user, password and database number. */
  url: string
  /** The prefix of all keys. Services that share a Redis server need different ones. */
  prefix: string
}

/** Connects at the first use. */
export function bullmqQueue(settings: BullmqSettings, clock: Clock, log: QueueLog): Queue {
  const connection = openCommandConnection(settings.url)
  const queues = queuesOf(connection, settings.prefix)
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
      connection.redis.disconnect()
      return ended
    },

    async counts() {
      const [apply, index] = await Promise.all([queues.counts('apply'), queues.counts('index')])
      return { apply, index }
    },

    async health() {
      if (closed) return new EngineUnavailable('redis', 'closed', undefined, 'closed')
      try {
        return faultOf(await connection.run(() => connection.redis.info()))
      } catch (error) {
        return faultIn('redis', error)
      }
    },
  }
}
