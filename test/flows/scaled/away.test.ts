/** What the service does if its engines are unreachable at the start. */
import { afterAll, describe, expect, it } from 'vitest'
import type { BriefOutput } from '../../../src/context/brief/schema.ts'
import { applied, call, write } from '../../support/http.ts'
import { adminKey, newDataDir, removeData, spawnService, startService } from '../../support/service.ts'
import { skipIf } from '../../support/skip.ts'
import { missing, startEngine } from '../../support/start-engine.ts'

const fact = { kind: 'fact', content: 'Ships wait for the tide.' }
const hidden = 'a-password-nobody-may-see'

describe('MongoDB unreachable at the start', () => {
  const dataDirs: string[] = []
  const dataDir = () => {
    const made = newDataDir()
    dataDirs.push(made)
    return made
  }
  afterAll(() => Promise.all(dataDirs.map(removeData)))

  it(
    '/readyz names MongoDB, callers get 503 with Retry-After, and the service starts once it is back',
    skipIf(missing('mongodb')),
    async () => {
      const mongodb = await startEngine('mongodb')
      try {
        await mongodb.stop()
        const env = { MONGODB_URL: mongodb.url, REDIS_URL: '', ELASTICSEARCH_URL: '' }
        const service = await spawnService({ dataDir: dataDir(), env, port: 24_417 })
        const caller = { url: 'http://127.0.0.1:24417', key: adminKey }
        const alive = () =>
          call(caller, 'GET', '/livez').then(
            ({ status }) => status,
            () => 0,
          )
        await expect.poll(alive, { timeout: 30_000 }).toBe(200)
        const readyz = () => call<{ engines: { documents: string } }>(caller, 'GET', '/readyz')
        expect((await readyz()).status).toBe(503)
        // until the first attempt has failed, it says only that the service is starting
        const documents = async () => (await readyz()).body.engines.documents
        await expect.poll(documents, { timeout: 30_000 }).toBe('mongodb: unreachable')
        await expect.poll(service.log, { timeout: 30_000 }).toMatch(/mongodb: .*ECONNREFUSED/)
        const refused = await write(caller, '/v1/context/memories', 'too-early', fact)
        expect(refused.status).toBe(503)
        expect(refused.body).toMatchObject({ code: 'unavailable', retryable: true })
        expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
        const lineOf = () =>
          service
            .log()
            .split('\n')
            .find((line) => line.includes('"path":"/v1/context/memories"'))
        await expect.poll(lineOf).toMatch(/"level":"warn".*"msg":"request refused"/)
        expect(lineOf()).not.toContain('stack')
        expect((await call(caller, 'GET', '/openapi.json')).status).toBe(200)

        await mongodb.start()
        await service.ready
        expect((await call(caller, 'GET', '/readyz')).status).toBe(200)
        expect((await applied(caller, '/v1/context/memories', 'in-time-now', fact)).state).toBe('applied')
        expect(await service.stop()).toBe(0)
      } finally {
        await mongodb.remove()
      }
    },
  )

  it('SIGTERM ends the service while it waits, and no password was logged', async () => {
    const service = await spawnService({
      dataDir: dataDir(),
      env: {
        MONGODB_URL: `mongodb://user:${hidden}@127.0.0.1:1/precedent`,
        REDIS_URL: `redis://user:${hidden}@127.0.0.1:1`,
        ELASTICSEARCH_URL: `http://user:${hidden}@127.0.0.1:1`,
        PRECEDENT_LOG_LEVEL: 'trace',
      },
    })
    await expect.poll(service.log, { timeout: 30_000 }).toContain('engine unavailable; retrying in 2 s')
    expect(await service.stop()).toBe(0)
    expect(service.log()).toContain('precedent has stopped')
    expect(service.log()).not.toContain(hidden)
  })
})

describe('Redis unreachable', () => {
  it('writes are applied some seconds later, none is lost, and no password is logged', async () => {
    const dataDir = newDataDir()
    const env = { MONGODB_URL: '', ELASTICSEARCH_URL: '', REDIS_URL: `redis://user:${hidden}@127.0.0.1:1` }
    const service = await startService({ dataDir, env })
    const receipt = await applied(service, '/v1/context/memories', 'without-redis', fact)
    expect(receipt.state).toBe('applied')
    const { status, body } = await call<{ engines: { queue: string } }>(service, 'GET', '/readyz')
    expect(status).toBe(200)
    expect(body.engines.queue).toBe('redis: unreachable')
    expect(await service.stop()).toBe(0)
    expect(service.log()).not.toContain(hidden)
    await removeData(dataDir)
  })
})

describe('Elasticsearch unreachable', () => {
  it('writes are accepted and wait, searches get 503 with Retry-After, and no password is logged', async () => {
    const dataDir = newDataDir()
    const env = { MONGODB_URL: '', REDIS_URL: '', ELASTICSEARCH_URL: `http://user:${hidden}@127.0.0.1:1` }
    const service = await startService({ dataDir, env })
    const accepted = await write(service, '/v1/context/memories', 'without-search', fact)
    expect(accepted.status).toBe(202)
    const receipt = () =>
      call(service, 'GET', `/v1/receipts/${accepted.body.receipt_id}`).then(({ body }) => body.state)
    await expect.poll(receipt, { timeout: 30_000 }).toBe('processing')
    const search = await call(service, 'POST', '/v1/context/search', { q: 'tide' })
    expect(search).toMatchObject({ status: 503, body: { code: 'unavailable' } })
    expect(Number(search.headers.get('retry-after'))).toBeGreaterThan(0)
    const about = await call<BriefOutput>(service, 'GET', '/v1/context/brief?query=tide')
    expect(about).toMatchObject({
      status: 200,
      body: { diagnostics: { degraded: true, primary_relevance: 'unknown' } },
    })
    expect(about.body.diagnostics?.failure_reasons).toHaveLength(1)
    expect(about.body.markdown).toMatch(/Search is not available.*Ships wait for the tide\. \(\d{4}-\d\d-\d\d\) \[1\]/s)
    const now = await call<BriefOutput>(service, 'GET', '/v1/context/brief')
    expect(now.body).toMatchObject({ diagnostics: { degraded: false }, citations: [{ title: fact.content }] })
    const { body } = await call<{ engines: { search: string } }>(service, 'GET', '/readyz')
    // only the log has the address
    expect(body.engines.search).toBe('elasticsearch: unreachable')
    expect(await service.stop()).toBe(0)
    expect(service.log()).toContain('ECONNREFUSED')
    expect(service.log()).not.toContain(hidden)
    await removeData(dataDir)
  })
})
