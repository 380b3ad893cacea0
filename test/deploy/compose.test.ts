import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv2019 } from 'ajv/dist/2019.js'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { load } from '../../config/load.ts'
import { environment } from '../../config/schema.ts'
import { repository } from '../support/service.ts'

interface ComposeService {
  build?: string
  image: string
  command?: string
  restart?: string
  environment?: Record<string, string>
  healthcheck?: { test: string[] }
  depends_on?: Record<string, { condition: string }>
  volumes?: string[]
  ports?: string[]
  init?: boolean
  cap_drop?: string[]
  security_opt?: string[]
  read_only?: boolean
  privileged?: boolean
  mem_limit?: string
  stop_grace_period?: string
}

const read = (name: string) => readFileSync(join(repository, name), 'utf8')
const compose = parse(read('docker-compose.yml'), { merge: true }) as {
  services: Record<string, ComposeService>
  volumes: Record<string, unknown>
}
const procfile = Object.fromEntries(
  read('Procfile')
    .trim()
    .split('\n')
    .map((line) => line.split(/:\s+/, 2) as [string, string]),
)
const own = Object.entries(compose.services).filter(([, service]) => service.build !== undefined)
const engines = Object.entries(compose.services).filter(([, service]) => service.build === undefined)

/** As compose fills them in where the variables of the shell are not set. */
const filled = (variables: Record<string, string> = {}) =>
  Object.fromEntries(
    Object.entries(variables).map(([name, value]) => [name, value.replace(/\$\{\w+:-([^}]*)\}/g, '$1')]),
  )

const withoutIds = (name: string, value: unknown) => (name === 'id' && typeof value === 'string' ? undefined : value)

describe('the Procfile', () => {
  it('has each kind of worker, by the command of the script with its name', () => {
    const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> }
    expect(Object.keys(procfile)).toEqual(['web', 'apply', 'index', 'maintain'])
    for (const [kind, command] of Object.entries(procfile)) {
      expect(scripts[kind]).toBe(command)
      const [, program] = /^node dist\/(workers\/\w+)\.js$/.exec(command) as RegExpExecArray
      expect(read(`${program}.ts`)).toContain(`name: '${kind}'`)
    }
  })
})

describe('docker-compose.yml', () => {
  it('is a compose file', () => {
    const ajv = new Ajv2019({ strict: false, validateFormats: false })
    // names of older drafts, which mean nothing in the one that it names
    const schema = JSON.parse(read('test/deploy/compose-spec.schema.json'), withoutIds) as object
    // that draft under its address of today
    const check = ajv.compile({ ...schema, $schema: 'https://json-schema.org/draft/2019-09/schema' })
    expect(check(compose), JSON.stringify(check.errors)).toBe(true)
    expect(check({ ...compose, services: { web: { comand: 'x' } } })).toBe(false)
  })

  it('runs exactly the processes of the Procfile, by its commands', () => {
    expect(Object.fromEntries(own.map(([name, { command }]) => [name, command]))).toEqual(procfile)
  })

  it.each(own)('gives %s settings that the service takes', (name, service) => {
    const variables = filled(service.environment)
    for (const variable of Object.keys(variables)) expect(Object.keys(environment.shape)).toContain(variable)
    const { engines: chosen, healthPort, port } = load(variables, name as 'web')
    const hosts = { mongodb: 'mongo', redis: 'redis', elasticsearch: 'elasticsearch' } as const
    for (const [engine, host] of Object.entries(hosts)) {
      expect(chosen[engine as keyof typeof hosts]?.url).toContain(`//${host}:`)
    }
    // where its health is asked for
    const asked = name === 'web' ? port : healthPort
    expect(service.healthcheck?.test.join(' ')).toContain(`http://127.0.0.1:${asked}/readyz`)
  })

  it('starts again what ended, gives it time to end in order, and waits for what it needs', () => {
    for (const [name, service] of Object.entries(compose.services)) {
      expect(service.restart, name).toBe('unless-stopped')
      expect(service.healthcheck?.test, name).toBeDefined()
    }
    for (const [name, service] of own) {
      expect(service.init, name).toBe(true)
      const deadline = load(filled(service.environment), name as 'web').shutdownDeadlineMs
      expect(Number.parseInt(service.stop_grace_period ?? '0', 10) * 1000).toBeGreaterThan(deadline)
      expect(Object.keys(service.depends_on ?? {}).sort()).toEqual(engines.map(([engine]) => engine).sort())
    }
  })

  it('keeps what the engines hold, and shows none of them to the world', () => {
    for (const [name, { volumes = [], ports = [] }] of engines) {
      expect(volumes.map((volume) => volume.split(':')[0])).toEqual([name])
      expect(compose.volumes).toHaveProperty(name)
      expect(ports, name).toEqual([])
    }
    for (const [name, { ports = [] }] of own) for (const port of ports) expect(port, name).toMatch(/^127\.0\.0\.1:/)
  })

  it('gives the service no capability, a read-only root and a memory limit', () => {
    for (const [name, service] of own) {
      expect(service.cap_drop, name).toEqual(['ALL'])
      expect(service.read_only, name).toBe(true)
    }
    for (const [name, service] of Object.entries(compose.services)) {
      expect(service.privileged, name).toBeUndefined()
      expect(service.security_opt, name).toEqual(['no-new-privileges:true'])
      expect(service.mem_limit, name).toMatch(/^\d+[mg]$/)
    }
  })

  it('runs Redis so that it throws no wake-up away, and MongoDB as a replica set, which the url names', () => {
    expect(compose.services.redis?.command).toContain('--maxmemory-policy noeviction')
    expect(compose.services.redis?.command).toContain('--appendonly yes')
    const [, set] = /--replSet (\w+)/.exec(compose.services.mongo?.command ?? '') as RegExpExecArray
    for (const [, service] of own) expect(service.environment?.MONGODB_URL).toContain(`replicaSet=${set}`)
    expect(compose.services.mongo?.healthcheck?.test.join(' ')).toContain(`_id: '${set}'`)
  })
})

describe('the Dockerfile', () => {
  const lines = read('Dockerfile').split('\n')

  it('copies only what .dockerignore lets through', () => {
    const through = new Set([...read('.dockerignore').matchAll(/^!(.+)$/gm)].map(([, name]) => name))
    const copied = lines
      .filter((line) => /^COPY (?!--from)/.test(line))
      .flatMap((line) => line.split(/\s+/).slice(1, -1))
    expect(copied.length).toBeGreaterThan(5)
    for (const name of copied) expect([...through]).toContain(name)
  })

  it('runs as a user without rights, on the Node that the package asks for at least', () => {
    expect(lines.lastIndexOf('USER node')).toBeGreaterThan(0)
    const last = lines.findLastIndex((line) => line.startsWith('FROM'))
    expect(lines.slice(last).filter((line) => line.startsWith('USER'))).toEqual(['USER node'])
    const { engines: floor } = JSON.parse(read('package.json')) as { engines: { node: string } }
    const major = Number(/node:(\d+)-/.exec(lines[last] as string)?.[1])
    expect(major).toBeGreaterThanOrEqual(Number(/\d+/.exec(floor.node)?.[0]))
  })
})
