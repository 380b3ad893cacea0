import { spawn, spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Finding } from '../../src/doctor/finding.ts'
import { temporaryFolder } from '../support/clean-up.ts'
import { sharedEngine } from '../support/engines.ts'
import { repository } from '../support/repository.ts'
import { startService } from '../support/service.ts'
import { skipIf } from '../support/skip.ts'
import { missing, type StartedEngine, startEngine } from '../support/start-engine.ts'

let folder: string
beforeAll(() => {
  folder = temporaryFolder('precedent-doctor-')
})

interface Report {
  code: number | null
  findings: Finding[]
  output: string
}

function doctor(env: Record<string, string>, ...args: string[]): Promise<Report> {
  const child = spawn(process.execPath, [join(repository, 'dist/src/cli/precedent.js'), 'doctor', ...args, '--json'], {
    env: { PATH: process.env.PATH ?? '', PORT: '0', PRECEDENT_DATA_DIR: folder, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString()
    })
  }
  return new Promise((resolve) =>
    child.once('close', (code) => resolve({ code, output, findings: JSON.parse(output).findings as Finding[] })),
  )
}

const of = ({ findings }: Report, what: string, state: Finding['state']) =>
  findings.filter((one) => one.what === what && one.state === state).map(({ found }) => found)

describe('precedent doctor', () => {
  it('finds no problem with the default settings, and changes nothing', async () => {
    const examined = await doctor({ PRECEDENT_DATA_DIR: join(folder, 'not', 'yet') })
    expect(examined.code).toBe(0)
    expect(of(examined, 'PRECEDENT_DATA_DIR', 'ok')).toEqual([
      expect.stringContaining('the first start of the service creates it'),
    ])
    expect((await doctor({ PRECEDENT_DATA_DIR: join(folder, 'not', 'yet') })).findings).toEqual(examined.findings)
  })

  it('reports a running service: its lock, its readiness, and a store that other users can read', async () => {
    const service = await startService()
    try {
      const port = new URL(service.url).port
      const examined = await doctor({ PORT: port, PRECEDENT_DATA_DIR: service.dataDir })
      expect(examined.code).toBe(0)
      expect(of(examined, 'PRECEDENT_DATA_DIR', 'ok')).toContain('a service is using it now')
      expect(of(examined, 'PORT', 'ok')).toEqual([`the service on ${port} is ready`])
      // the service makes both readable by their owner only
      chmodSync(service.dataDir, 0o755)
      const listed = await doctor({ PRECEDENT_DATA_DIR: service.dataDir })
      expect(of(listed, 'PRECEDENT_DATA_DIR', 'ok')).toContainEqual(expect.stringContaining('can read no file'))
      writeFileSync(join(service.dataDir, 'copy.jsonl'), '{}', { mode: 0o644 })
      const copied = await doctor({ PRECEDENT_DATA_DIR: service.dataDir })
      expect(of(copied, 'PRECEDENT_DATA_DIR', 'note')).toEqual([expect.stringContaining('can read copy.jsonl')])
      chmodSync(join(service.dataDir, 'precedent.sqlite'), 0o644)
      const open = await doctor({ PRECEDENT_DATA_DIR: service.dataDir })
      expect(of(open, 'PRECEDENT_DATA_DIR', 'note')).toEqual([expect.stringContaining('can read the whole store')])
    } finally {
      await service.stop()
      rmSync(service.dataDir, { recursive: true })
    }
  })

  it('does not end with “no problems” after a note', () => {
    const open = join(folder, 'open')
    mkdirSync(open, { mode: 0o755 })
    chmodSync(open, 0o755)
    writeFileSync(join(open, 'copy.jsonl'), '{}', { mode: 0o644 })
    const env = { PATH: process.env.PATH ?? '', PORT: '0', PRECEDENT_DATA_DIR: open }
    const program = join(repository, 'dist/src/cli/precedent.js')
    const { status, stderr } = spawnSync(process.execPath, [program, 'doctor'], { env, encoding: 'utf8' })
    expect({ status, stderr }).toEqual({ status: 0, stderr: expect.stringContaining('No errors found, but 1 note') })
  })

  it('names the invalid variable, and a data directory that is not writable', async () => {
    const invalid = await doctor({ PRECEDENT_PROFILE: 'scaled' })
    expect(invalid.code).toBe(1)
    expect(of(invalid, 'configuration', 'wrong')[0]).toContain('MONGODB_URL')
    const alone = await doctor({}, '--process', 'apply')
    expect(of(alone, 'configuration', 'wrong')[0]).toContain('A separate apply process')
    const unwritable = await doctor({ PRECEDENT_DATA_DIR: '/proc/self' })
    expect(unwritable.code).toBe(1)
    expect(of(unwritable, 'PRECEDENT_DATA_DIR', 'wrong')[0]).toContain('is not writable')
    const file = join(folder, 'file')
    writeFileSync(file, '')
    const none = await doctor({ PRECEDENT_DATA_DIR: file })
    expect(of(none, 'PRECEDENT_DATA_DIR', 'wrong')).toEqual([expect.stringContaining(`${file} is not a directory`)])
    const impossible = await doctor({ PRECEDENT_DATA_DIR: '/proc/none/data' })
    expect(of(impossible, 'PRECEDENT_DATA_DIR', 'wrong')[0]).toContain('can create no folder in /proc')
  })

  it('reports every error in the operator’s file with its line, and what a valid file can’t start', async () => {
    const file = join(folder, 'precedent.yaml')
    writeFileSync(file, 'executors:\n  coder: { type: process, command: [precedent-no-such-program] }\n  b: {}\nx: 1\n')
    const invalid = await doctor({ PRECEDENT_CONFIG: file })
    expect(invalid.code).toBe(1)
    expect(of(invalid, 'PRECEDENT_CONFIG', 'wrong')).toEqual([
      expect.stringContaining(`${file}:3:3 executors.b.type must be process or http`),
      expect.stringContaining(`${file}:4:1 x is not a field that is known here`),
    ])
    writeFileSync(file, 'executors:\n  coder: { type: process, command: [precedent-no-such-program] }\n')
    const unable = await doctor({ PRECEDENT_CONFIG: file })
    expect(unable.code).toBe(1)
    expect(of(unable, 'PRECEDENT_CONFIG', 'wrong')).toEqual([expect.stringContaining('missing or not executable')])
    for (const { state, remedy } of [...invalid.findings, ...unable.findings]) {
      expect(remedy !== undefined).toBe(state !== 'ok')
    }
  })

  it('reports a port that another program is using', async () => {
    const server: Server = createServer((_, response) => response.end('hello'))
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
    const { port } = server.address() as AddressInfo
    const examined = await doctor({ PORT: String(port) })
    server.close()
    expect(of(examined, 'PORT', 'wrong')).toEqual([`another program is using ${port}`])
  })

  it('reports engines that are unreachable, without showing their passwords', async () => {
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
    expect(examined.output).not.toContain(secret)
  })

  it('reports a URL of MongoDB that the driver refuses', async () => {
    const examined = await doctor({ MONGODB_URL: 'mongodb://ada:p@ss@127.0.0.1:9/x' })
    expect(of(examined, 'MONGODB_URL', 'wrong')).toEqual([
      expect.stringMatching(/^MONGODB_URL is not valid: .*write @ as %40/),
    ])
  })
})

describe('precedent doctor on engines', async () => {
  const [mongodb, elasticsearch] = [await sharedEngine('mongodb'), await sharedEngine('elasticsearch')]

  it('checks that writes to MongoDB are durable', skipIf(mongodb.reason), async () => {
    const examined = await doctor({ MONGODB_URL: `${mongodb.url}/doctor-test` })
    expect(of(examined, 'MONGODB_URL', 'wrong')).toEqual([])
    expect(of(examined, 'MONGODB_URL', 'ok').join()).toMatch(/answers.*clock agrees.*journaled a write/)
    expect(of(examined, 'MONGODB_URL', 'note')).toEqual([expect.stringContaining('a single server')])
  })

  it('checks the health and version of Elasticsearch', skipIf(elasticsearch.reason), async () => {
    const examined = await doctor({ ELASTICSEARCH_URL: elasticsearch.url as string })
    expect(of(examined, 'ELASTICSEARCH_URL', 'wrong')).toEqual([])
    expect(of(examined, 'ELASTICSEARCH_URL', 'ok').join()).toMatch(/Elasticsearch [89]\./)
  })

  it('checks the eviction policy and the append-only file of Redis', skipIf(missing('redis')), async () => {
    const redis: StartedEngine = await startEngine('redis')
    const admin = new Redis(redis.url)
    try {
      expect(of(await doctor({ REDIS_URL: redis.url }), 'REDIS_URL', 'wrong')).toEqual([])
      const beyond = await doctor({ REDIS_URL: `${redis.url}/99` })
      expect(of(beyond, 'REDIS_URL', 'wrong')).toEqual([expect.stringContaining('index is out of range')])
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
