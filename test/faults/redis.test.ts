/** Redis may lose all data or be down, because it holds only wake-ups. */
import { Redis } from 'ioredis'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { call } from '../support/http.ts'
import { full } from '../support/size.ts'
import { skipIf } from '../support/skip.ts'
import { type Cluster, missingFor, startCluster } from './cluster.ts'
import { allApplied, allAppliedOnce, recovery, sleep, toldOf, underLoad } from './load.ts'

/** ms that Redis is down under load, and the number of open receipts when it loses its data. */
const away = full ? 20_000 : 6_000
/** ms between two writes of a writer. */
const pause = full ? 40 : 200
const inFlight = full ? 10_000 : 600
/** ms that a write takes at most in a long backlog. The stand-in for MongoDB is slower with more data. */
const perWrite = 40

describe('Redis', skipIf(missingFor(['redis'])), () => {
  let cluster: Cluster
  beforeAll(async () => {
    cluster = await startCluster(['redis'], ['web', 'web', 'apply', 'apply', 'index', 'maintain'])
  }, 180_000)
  afterAll(() => cluster?.close(), 60_000)

  it(`every write is accepted and applied while Redis is down for ${away / 1000} s under load`, async () => {
    const load = underLoad(cluster.webs, 'redis-killed', { every: pause })
    await sleep(1_000)
    process.kill(cluster.engine('redis').pid, 'SIGKILL')
    await sleep(away / 2)
    const { status, body } = await call<{ engines: { queue: string } }>(cluster.webs[0] as never, 'GET', '/readyz')
    expect(status).toBe(200)
    expect(body.engines.queue).toMatch(/redis/)
    await sleep(away / 2)
    await cluster.engine('redis').stop()
    await cluster.engine('redis').start()
    const back = Date.now()
    await load.stop()
    await allAppliedOnce(cluster.webs[1] as never, [load])
    console.log(
      `Redis away for ${away} ms: ${load.acknowledged.size} writes, told ${toldOf([load])}, all applied ${Date.now() - back} ms after it was back`,
    )
    expect([...load.told.keys()].filter((one) => one !== 200 && one !== 202)).toEqual([])
  }, 240_000)

  it(`all of ${inFlight} open receipts are applied if Redis loses all its data`, async () => {
    // frozen workers apply nothing, so all receipts stay open
    for (const worker of [...cluster.of('apply'), ...cluster.of('index')]) worker.child.kill('SIGSTOP')
    const load = underLoad(cluster.webs, 'redis-emptied', { most: inFlight })
    await expect.poll(() => load.acknowledged.size, { timeout: 240_000 }).toBeGreaterThanOrEqual(inFlight)
    await load.stop()
    const redis = new Redis(cluster.env.REDIS_URL as string)
    await redis.flushall()
    await redis.quit()
    const emptied = Date.now()
    for (const worker of [...cluster.of('apply'), ...cluster.of('index')]) worker.child.kill('SIGCONT')
    const first = new Map([...load.acknowledged].slice(0, 100))
    await allApplied(cluster.webs[0] as never, [{ ...load, acknowledged: first }], emptied + recovery)
    await allAppliedOnce(cluster.webs[0] as never, [load], emptied + recovery + inFlight * perWrite)
    console.log(`Redis emptied with ${load.acknowledged.size} in flight: all applied ${Date.now() - emptied} ms later`)
  }, 900_000)
})
