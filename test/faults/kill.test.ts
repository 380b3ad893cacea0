import { createServer } from 'node:net'
import { afterAll, describe, expect, it } from 'vitest'
import { adminKey, removeData, type Started, startService } from '../support/service.ts'
import { full, tries } from '../support/size.ts'
import { allApplied, allAppliedOnce, eachOnce, type Load, recovery, sleep, underLoad } from './load.ts'

// twice at least: the second kill meets a store that has recovered before
const times = full ? 50 : Math.max(2, tries(10))

describe('SIGKILL under load', () => {
  let dataDir: string | undefined
  afterAll(() => dataDir && removeData(dataDir))

  it(`no acknowledged write is lost or applied twice if the service is killed ${times} times under load`, {
    timeout: times * 120_000,
  }, async () => {
    const port = await freePort()
    let service = await startService({ port })
    dataDir = service.dataDir
    const caller = { url: service.url, key: adminKey }
    const loads: Load[] = []
    let slowest = 0

    for (let round = 0; round < times; round++) {
      const load = underLoad([caller], `round-${round}`)
      loads.push(load)
      await sleep(150 + Math.random() * 1200)
      await service.kill()
      const killed = Date.now()
      service = await startService({ port, dataDir })
      // callers repeat a write without an answer, with the same key
      await load.stop()
      await allApplied(caller, [load], killed + recovery)
      slowest = Math.max(slowest, Date.now() - killed)
    }
    await eachOnce(caller, loads)
    await service.stop()
    const acknowledged = loads.reduce((sum, load) => sum + load.acknowledged.size, 0)
    console.log(`${times} kills, ${acknowledged} writes acknowledged, slowest recovery ${slowest} ms`)
  })

  it('SIGTERM under load ends the service with exit code 0, and every acknowledged write is applied', {
    timeout: 120_000,
  }, async () => {
    const port = await freePort()
    const service: Started = await startService({ port })
    const caller = { url: service.url, key: adminKey }
    const load = underLoad([caller], 'term')
    await sleep(700)
    expect(await service.stop()).toBe(0)
    expect(service.log()).toContain('precedent has stopped')
    expect(load.acknowledged.size).toBeGreaterThan(0)
    const again = await startService({ port, dataDir: service.dataDir })
    await load.stop()
    await allAppliedOnce(caller, [load])
    await again.stop()
    await removeData(service.dataDir)
  })
})

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number }
      server.close(() => resolve(port))
    })
  })
}
