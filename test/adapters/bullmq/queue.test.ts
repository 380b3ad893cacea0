import { randomUUID } from 'node:crypto'
import { Redis } from 'ioredis'
import { afterAll, describe } from 'vitest'
import { bullmqQueue } from '../../../src/adapters/bullmq/queue.ts'
import { systemClock } from '../../../src/adapters/system-clock.ts'
import { queueContract } from '../../contracts/queue.contract.ts'
import { sharedEngine } from '../../support/engines.ts'
import { skipIf } from '../../support/skip.ts'

const { url = '', reason } = await sharedEngine('redis')
const prefixes: string[] = []

describe('queue on BullMQ', skipIf(reason), () => {
  afterAll(async () => {
    const redis = new Redis(url)
    for (const prefix of prefixes) {
      const keys = await redis.keys(`${prefix}:*`)
      if (keys.length > 0) await redis.del(keys)
    }
    await redis.quit()
  })

  queueContract('BullMQ', async () => {
    const prefix = `test-${randomUUID().slice(0, 8)}`
    prefixes.push(prefix)
    return bullmqQueue({ url, prefix }, systemClock, { info: () => {}, warn: () => {} })
  })
})
