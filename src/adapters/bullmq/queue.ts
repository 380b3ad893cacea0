/**
 * The queue port on BullMQ (src/ports/queue.ts). There is one BullMQ queue for each kind and lane, and its jobs are
 * deduplicated by workspace. Redis may lose all jobs: everything that must not be lost is in the documents.
 */
import type { Clock } from '../../ports/clock.ts'
import type { Queue, QueueLog } from '../../ports/queue.ts'
import { EngineUnavailable, faultIn } from '../../ports/unavailable.ts'
import { coalesced } from './coalesce.ts'
import { askingRedis } from './connection.ts'
import { faultOf } from './health.ts'
import { linesOf } from './lines.ts'
import { workersIn } from './workers.ts'

export interface BullmqSettings {
  /** redis:// or rediss://, with user, password and database number if there are any. */
  url: string
  /** Begins all keys. Services that share a Redis must have different prefixes. */
  prefix: string
}

/** Connects at the first call. */
export function bullmqQueue(settings: BullmqSettings, clock: Clock, log: QueueLog): Queue {
  const asking = askingRedis(settings.url)
  const lines = linesOf(asking, settings.prefix)
  const workers = workersIn(settings, lines, clock, log)
  const together = coalesced()
  let closed = false

  return {
    async add(kind, job) {
      if (closed) throw new EngineUnavailable('redis', 'closed', undefined, 'closed')
      await together(`${kind} ${job.lane} ${job.workspace}`, () => lines.add(kind, job))
    },

    process: (kind, concurrency, handler) => workers.begin(kind, concurrency, handler),

    async close(deadline) {
      closed = true
      const ended = await workers.close(deadline)
      await lines.close()
      asking.redis.disconnect()
      return ended
    },

    async counts() {
      const [apply, index] = await Promise.all([lines.counts('apply'), lines.counts('index')])
      return { apply, index }
    },

    async health() {
      if (closed) return new EngineUnavailable('redis', 'closed', undefined, 'closed')
      try {
        return faultOf(await asking.ask(() => asking.redis.info()))
      } catch (error) {
        return faultIn('redis', error)
      }
    },
  }
}
