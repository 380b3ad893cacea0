import { Redis } from 'ioredis'
import { pino } from 'pino'
import { afterEach, describe, expect, it } from 'vitest'
import { load } from '../config/load.ts'
import { bootstrap } from '../src/access/bootstrap.ts'
import { openPorts, type Ports } from '../src/engines.ts'
import { checkpoints } from '../src/journal/checkpoint.ts'
import { remember } from '../src/memories/remember.ts'
import { readinessOf } from '../src/readiness.ts'
import { newestFormat, receipts } from '../src/receipt.ts'
import { createService, type Service } from '../src/service.ts'
import { actorAda } from './support/apply.ts'
import { temporaryFolder } from './support/clean-up.ts'
import { skipIf } from './support/skip.ts'
import { missing, startEngine } from './support/start-engine.ts'

const log = pino({ level: 'silent' })
const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

async function serviceOn(env: Record<string, string> = {}): Promise<{ service: Service; ports: Ports }> {
  const folder = temporaryFolder('precedent-ready-')
  const config = load({ PRECEDENT_DATA_DIR: folder, ...env })
  const ports = await openPorts(config, log)
  await bootstrap({ documents: ports.documents, clock: ports.clock, workspaceType: 'company' })
  const service = await createService(ports, config, log)
  closing.push(async () => {
    await service.stop(5_000)
    await ports.close()
  })
  return { service, ports }
}

const input = { kind: 'fact', content: 'Readiness is told.' }
const call = { operation: remember, actor: actorAda, input, idempotencyKey: 'readiness-1' }

describe('readiness', () => {
  it('names an index that is missing, and is ready all the same', async () => {
    const { service, ports } = await serviceOn()
    service.work(['apply', 'index'])
    await service.api.waitForEnd(await service.api.accept(call), 20_000)
    const { live } = (await ports.documents.get(checkpoints, actorAda.workspace)) ?? { live: '' }
    await ports.search.drop(live)
    expect(await service.api.readiness()).toEqual({
      ready: true,
      engines: { documents: null, queue: null, search: null },
      problems: ['search: the index of a workspace is missing or outdated; maintain rebuilds it'],
    })
  })

  it('says that receipts wait for a newer worker', async () => {
    const { service, ports } = await serviceOn()
    const { id } = await service.api.accept(call)
    await ports.documents.update(receipts, id, { set: { format: newestFormat + 1 } })
    service.work(['apply'])
    await expect
      .poll(async () => (await service.api.readiness()).problems)
      .toEqual([
        expect.stringContaining(`has format ${newestFormat + 1}, this worker knows ${newestFormat}: upgrade it`),
      ])
  })

  it('asks an engine that is away only once', async () => {
    const { ports } = await serviceOn()
    let asked = 0
    const issues = async () => [`issue ${++asked}`]
    const readiness = readinessOf(ports, undefined, log, issues)
    expect((await readiness()).problems).toEqual(['issue 1'])
    await ports.close()
    expect((await readiness()).problems).not.toContain('issue 2')
    expect(asked).toBe(1)
  })

  it('says that a store which was closed takes nothing', async () => {
    const { service, ports } = await serviceOn()
    await ports.close()
    const { ready, engines, problems } = await service.api.readiness()
    expect([ready, engines.documents]).toEqual([false, expect.stringContaining('closed')])
    expect(problems[0]).toMatch(/^documents: sqlite/)
  })

  it(
    'readiness reports a Redis that may evict jobs, and one that is unreachable',
    skipIf(missing('redis')),
    async () => {
      const redis = await startEngine('redis')
      closing.push(() => redis.remove())
      const admin = new Redis(redis.url)
      const { service } = await serviceOn({ REDIS_URL: redis.url })
      await admin.config('SET', 'maxmemory-policy', 'allkeys-lru')
      admin.disconnect()
      const evicting = await service.api.readiness()
      expect(evicting.ready).toBe(true)
      expect(evicting.problems).toEqual(['queue: redis: may evict jobs: set maxmemory-policy to noeviction'])
      await redis.stop()
      // writes are still accepted, and workers find them by polling. Answers are cached for a moment
      const away = { ready: true, problems: ['queue: redis: unreachable'] }
      await expect.poll(() => service.api.readiness(), { timeout: 5_000 }).toMatchObject(away)
    },
  )
})
