/** The number of the database in REDIS_URL. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { Redis } from 'ioredis'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { assertDatabase } from '../../../src/adapters/bullmq/database.ts'
import { bullmqQueue } from '../../../src/adapters/bullmq/queue.ts'
import { systemClock } from '../../../src/adapters/system-clock.ts'
import type { WorkspaceId } from '../../../src/ids.ts'
import { cleanUp, temporaryFolder } from '../../support/clean-up.ts'
import { repository } from '../../support/repository.ts'
import { skipIf } from '../../support/skip.ts'
import { missing, type StartedEngine, startEngine } from '../../support/start-engine.ts'

const said = /REDIS_URL names database 99, which this Redis does not have .*: name a lower number, 0 to 15 by default/

it('an unreachable Redis is no reason not to start', async () => {
  await assertDatabase('redis://127.0.0.1:1/99')
})

describe('a database that Redis does not have', skipIf(missing('redis')), () => {
  let redis: StartedEngine
  beforeAll(async () => {
    redis = await startEngine('redis')
  })
  afterAll(() => redis?.remove())

  it('is named with the remedy, and others are accepted', async () => {
    await expect(assertDatabase(`${redis.url}/99`)).rejects.toThrow(said)
    await assertDatabase(`${redis.url}/15`)
    await assertDatabase(redis.url)
  })

  it('ends the start within seconds', async () => {
    const program = join(repository, 'dist/workers/all.js')
    const settings = { PORT: '0', PRECEDENT_DATA_DIR: temporaryFolder(), REDIS_URL: `${redis.url}/99` }
    const child = spawn(process.execPath, [program], { env: { PATH: process.env.PATH ?? '', ...settings } })
    cleanUp(() => child.kill('SIGKILL'))
    const [stderr, [code]] = await Promise.all([text(child.stderr), once(child, 'close')])
    expect([code, stderr]).toEqual([1, expect.stringMatching(said)])
  })

  it('gets no jobs into database 0, if Redis was away when the service started', async () => {
    const settings = { url: `${redis.url}/99`, prefix: 'out-of-range' }
    const queue = bullmqQueue(settings, systemClock, { info: () => {}, warn: () => {} })
    const admin = new Redis(redis.url)
    try {
      const job = { workspace: 'w' as WorkspaceId, lane: 'interactive' } as const
      await expect(queue.add('apply', job)).rejects.toThrow(said)
      expect((await queue.health())?.message).toMatch(said)
      expect(await admin.keys('out-of-range*')).toEqual([])
    } finally {
      admin.disconnect()
      await queue.close(1_000)
    }
  })
})
