/** MongoDB stops, restarts or freezes under load. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { call } from '../support/http.ts'
import { full } from '../support/size.ts'
import { skipIf } from '../support/skip.ts'
import { type Cluster, missingFor, startCluster } from './cluster.ts'
import { allAppliedOnce, sleep, toldOf, underLoad } from './load.ts'

/** ms */
const ended = full ? 10_000 : 3_000
const frozen = full ? 30_000 : 12_000
/** ms between two writes of a writer. */
const pause = full ? 40 : 200

describe('MongoDB', skipIf(missingFor(['mongodb'])), () => {
  let cluster: Cluster
  beforeAll(async () => {
    cluster = await startCluster(['mongodb'], ['web', 'web', 'apply', 'apply', 'index', 'maintain'])
  }, 180_000)
  afterAll(() => cluster?.close(), 60_000)

  it('callers get 503 with Retry-After while MongoDB restarts under load, and no acknowledged write is lost', async () => {
    const load = underLoad(cluster.webs, 'mongodb-ended', { every: pause })
    await sleep(1_500)
    await cluster.engine('mongodb').stop()
    await expect.poll(() => load.told.get(503) ?? 0, { timeout: 60_000 }).toBeGreaterThan(0)
    const { status, body } = await call<{ engines: { documents: string } }>(cluster.webs[0] as never, 'GET', '/readyz')
    expect(status).toBe(503)
    expect(body.engines.documents).toMatch(/mongodb/)
    await sleep(ended)
    const workers = [...cluster.of('apply'), ...cluster.of('index'), ...cluster.of('maintain')]
    for (const { url, child } of workers) {
      expect((await fetch(`${url}/metrics`)).status).toBe(200)
      const ready = await call<{ engines: { documents: string } }>({ url, key: '' } as never, 'GET', '/readyz')
      expect(ready.body.engines.documents).toBe('mongodb: unreachable')
      expect(child.exitCode).toBeNull()
    }
    await cluster.engine('mongodb').start()
    const back = Date.now()
    await sleep(1_000)
    await load.stop()
    await allAppliedOnce(cluster.webs[1] as never, [load])
    console.log(
      `MongoDB ended for ${ended} ms: ${load.acknowledged.size} writes, told ${toldOf([load])}, all applied ${Date.now() - back} ms after it was back`,
    )
    expect([...load.told.keys()].filter((one) => ![200, 202, 503].includes(one))).toEqual([])
  }, 240_000)

  it(`requests end in time while MongoDB is frozen for ${frozen / 1000} s under load, and no acknowledged write is lost`, async () => {
    const load = underLoad(cluster.webs, 'mongodb-frozen', { every: pause })
    await sleep(1_500)
    const { pid } = cluster.engine('mongodb')
    process.kill(pid, 'SIGSTOP')
    try {
      await expect.poll(() => load.told.get(503) ?? 0, { timeout: 60_000 }).toBeGreaterThan(0)
      await sleep(frozen)
    } finally {
      process.kill(pid, 'SIGCONT')
    }
    const back = Date.now()
    await sleep(1_000)
    await load.stop()
    await allAppliedOnce(cluster.webs[0] as never, [load])
    console.log(
      `MongoDB frozen for ${frozen} ms: ${load.acknowledged.size} writes, told ${toldOf([load])}, all applied ${Date.now() - back} ms after it was back`,
    )
    expect([...load.told.keys()].filter((one) => ![200, 202, 503].includes(one))).toEqual([])
  }, 240_000)
})
