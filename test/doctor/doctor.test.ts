import { spawn } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Finding } from '../../src/doctor/finding.ts'
import { sharedEngine } from '../support/engines.ts'
import { repository, startService } from '../support/service.ts'
import { type StartedEngine, startEngine } from '../support/start-engine.ts'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'precedent-doctor-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

interface Examined {
  code: number | null
  findings: Finding[]
  said: string
}

function doctor(env: Record<string, string>, ...args: string[]): Promise<Examined> {
  const child = spawn(process.execPath, [join(repository, 'dist/src/cli/precedent.js'), 'doctor', ...args, '--json'], {
    env: { PATH: process.env.PATH ?? '', PORT: '0', PRECEDENT_DATA_DIR: folder, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      said += chunk.toString()
    })
  }
  return new Promise((resolve) =>
    child.once('close', (code) => resolve({ code, said, findings: JSON.parse(said).findings as Finding[] })),
  )
}

const of = ({ findings }: Examined, what: string, state: Finding['state']) =>
  findings.filter((one) => one.what === what && one.state === state).map(({ found }) => found)

describe('precedent doctor', () => {
  it('finds nothing wrong with the defaults, and changes nothing', async () => {
    const examined = await doctor({ PRECEDENT_DATA_DIR: join(folder, 'not', 'yet') })
    expect(examined.code).toBe(0)
    expect(of(examined, 'PRECEDENT_DATA_DIR', 'ok')).toEqual([expect.stringContaining('the first start makes it')])
    expect((await doctor({ PRECEDENT_DATA_DIR: join(folder, 'not', 'yet') })).findings).toEqual(examined.findings)
  })

  it('sees a service that runs: its lock, and what it says of itself', async () => {
    const service = await startService()
    try {
      const port = new URL(service.url).port
      const examined = await doctor({ PORT: port, PRECEDENT_DATA_DIR: service.dataDir })
      expect(examined.code).toBe(0)
      expect(of(examined, 'PRECEDENT_DATA_DIR', 'ok')).toContain('a service runs on it now')
      expect(of(examined, 'PORT', 'ok')).toEqual([`the service at ${port} is ready`])
      chmodSync(service.dataDir, 0o755)
      chmodSync(join(service.dataDir, 'precedent.sqlite'), 0o644)
      const open = await doctor({ PRECEDENT_DATA_DIR: service.dataDir })
      expect(of(open, 'PRECEDENT_DATA_DIR', 'note')).toEqual([expect.stringContaining('may read all')])
    } finally {
      await service.stop()
      rmSync(service.dataDir, { recursive: true })
    }
  })

  it('says which variable is not valid, and that a folder can’t be written to', async () => {
    const invalid = await doctor({ PRECEDENT_PROFILE: 'scaled' })
    expect(invalid.code).toBe(1)
    expect(of(invalid, 'configuration', 'wrong')[0]).toContain('MONGODB_URL')
    const alone = await doctor({}, '--process', 'apply')
    expect(of(alone, 'configuration', 'wrong')[0]).toContain('A process that runs apply alone')
    const unwritable = await doctor({ PRECEDENT_DATA_DIR: '/proc/self' })
    expect(unwritable.code).toBe(1)
    expect(of(unwritable, 'PRECEDENT_DATA_DIR', 'wrong')[0]).toContain('nothing can be written')
  })

  it('tells when something else has the port', async () => {
    const server: Server = createServer((_, response) => response.end('hello'))
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
    const { port } = server.address() as AddressInfo
    const examined = await doctor({ PORT: String(port) })
    server.close()
    expect(of(examined, 'PORT', 'wrong')).toEqual([`something else than Precedent has ${port}`])
  })

  it('says that servers are away, without their passwords', async () => {
    const secret = 'correct-horse-battery'
    const examined = await doctor({
      MONGODB_URL: `mongodb://ada:${secret}@127.0.0.1:9/x`,
      REDIS_URL: `redis://:${secret}@127.0.0.1:9`,
      ELASTICSEARCH_URL: `http://ada:${secret}@127.0.0.1:9`,
    })
    expect(examined.code).toBe(1)
    for (const what of ['MONGODB_URL', 'REDIS_URL', 'ELASTICSEARCH_URL']) {
      expect(of(examined, what, 'wrong'), what).toHaveLength(1)
    }
    for (const { state, remedy } of examined.findings) expect(remedy !== undefined).toBe(state !== 'ok')
    expect(examined.said).not.toContain(secret)
  })
})

describe('precedent doctor on engines', async () => {
  const [mongodb, elasticsearch] = [await sharedEngine('mongodb'), await sharedEngine('elasticsearch')]

  it.skipIf(mongodb.reason !== undefined)('finds that MongoDB takes writes that last', async () => {
    const examined = await doctor({ MONGODB_URL: `${mongodb.url}/doctor-test` })
    expect(of(examined, 'MONGODB_URL', 'wrong')).toEqual([])
    expect(of(examined, 'MONGODB_URL', 'ok').join()).toMatch(/answers.*clock agrees.*journaled a write/)
    expect(of(examined, 'MONGODB_URL', 'note')).toEqual([expect.stringContaining('a single server')])
  })

  it.skipIf(elasticsearch.reason !== undefined)('finds health and version of Elasticsearch', async () => {
    const examined = await doctor({ ELASTICSEARCH_URL: elasticsearch.url as string })
    expect(of(examined, 'ELASTICSEARCH_URL', 'wrong')).toEqual([])
    expect(of(examined, 'ELASTICSEARCH_URL', 'ok').join()).toMatch(/Elasticsearch [89]\./)
  })

  it('finds the eviction policy of Redis', async () => {
    const redis: StartedEngine = await startEngine('redis')
    const admin = new Redis(redis.url)
    try {
      expect(of(await doctor({ REDIS_URL: redis.url }), 'REDIS_URL', 'wrong')).toEqual([])
      await admin.config('SET', 'maxmemory-policy', 'allkeys-lru')
      await admin.config('SET', 'appendonly', 'no')
      const examined = await doctor({ REDIS_URL: redis.url })
      expect(examined.code).toBe(1)
      expect(of(examined, 'REDIS_URL', 'wrong')[0]).toContain('maxmemory-policy is allkeys-lru')
      expect(of(examined, 'REDIS_URL', 'note')[0]).toContain('append-only')
    } finally {
      admin.disconnect()
      await redis.remove()
    }
  })
})
