import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv2019 } from 'ajv/dist/2019.js'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { load } from '../../config/load.ts'
import { processKinds } from '../../config/processes.ts'
import { environment } from '../../config/schema.ts'
import { repository } from '../support/repository.ts'

interface ComposeService {
  build?: string
  image: string
  command?: string | string[]
  restart?: string
  environment?: Record<string, string>
  healthcheck?: { test: string[] }
  depends_on?: Record<string, { condition: string }>
  volumes?: string[]
  tmpfs?: string[]
  ports?: string[]
  init?: boolean
  cap_drop?: string[]
  security_opt?: string[]
  read_only?: boolean
  privileged?: boolean
  mem_limit?: string
  pids_limit?: number
  logging?: { options?: Record<string, string> }
  stop_grace_period?: string
}

const read = (name: string) => readFileSync(join(repository, name), 'utf8')
interface Compose {
  services: Record<string, ComposeService>
  volumes: Record<string, unknown>
}
const files = ['docker-compose.yml', 'docker-compose.embedded.yml']
const composeOf = (name: string) => parse(read(name), { merge: true }) as Compose
const compose = composeOf('docker-compose.yml')
const embedded = composeOf('docker-compose.embedded.yml')
const dockerfile = read('Dockerfile')
const procfile = Object.fromEntries(
  read('Procfile')
    .trim()
    .split('\n')
    .map((line) => line.split(/:\s+/, 2) as [string, string]),
)
/** If the kinds run separately, each process is one of these. */
const separate = processKinds.filter((kind) => kind !== 'all')
const isOwn = ({ image }: ComposeService) => image === 'precedent/service'
const own = Object.entries(compose.services).filter(([, service]) => isOwn(service))
/** Ends once the replica set exists. */
const initJob = 'mongo-init'
const engines = Object.entries(compose.services).filter(([name, service]) => !isOwn(service) && name !== initJob)

/** The values that compose uses if the shell does not set the variables. */
const filled = (variables: Record<string, string> = {}) =>
  Object.fromEntries(
    Object.entries(variables).map(([name, value]) => [name, value.replace(/\$\{\w+:-([^}]*)\}/g, '$1')]),
  )

const withoutIds = (name: string, value: unknown) => (name === 'id' && typeof value === 'string' ? undefined : value)

describe('the Procfile', () => {
  it('starts each kind of process with the same command as the npm script of that name', () => {
    const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> }
    expect(Object.keys(procfile)).toEqual(separate)
    for (const [kind, command] of Object.entries(procfile)) {
      expect(scripts[kind]).toBe(command)
      const [, program] = /^node dist\/(workers\/\w+)\.js$/.exec(command) as RegExpExecArray
      expect(read(`${program}.ts`)).toContain(`runAsProgram(import.meta.url, '${kind}')`)
    }
  })
})

describe.each(files)('%s', (file) => {
  const { services } = composeOf(file)

  it('is valid by the Compose schema', () => {
    const ajv = new Ajv2019({ strict: false, validateFormats: false })
    // drop `id`: it is a keyword of older drafts, and has no meaning in this one
    const schema = JSON.parse(read('test/deploy/compose-spec.schema.json'), withoutIds) as object
    // the current address of the same draft
    const check = ajv.compile({ ...schema, $schema: 'https://json-schema.org/draft/2019-09/schema' })
    expect(check(composeOf(file)), JSON.stringify(check.errors)).toBe(true)
    expect(check({ ...compose, services: { web: { comand: 'x' } } })).toBe(false)
  })

  it('builds the image once', () => {
    expect(Object.values(services).filter(({ build }) => build !== undefined)).toHaveLength(1)
  })

  it('gives the service no capability and a read-only root', () => {
    for (const service of Object.values(services).filter(isOwn)) {
      expect(service).toMatchObject({ cap_drop: ['ALL'], read_only: true, init: true })
    }
  })

  it('limits memory, processes and logs of every container, and gives it no new rights', () => {
    for (const [name, service] of Object.entries(services)) {
      expect(service.privileged, name).toBeUndefined()
      expect(service.security_opt, name).toEqual(['no-new-privileges:true'])
      expect(service.mem_limit, name).toMatch(/^\d+[mg]$/)
      expect(service.pids_limit, name).toBeGreaterThan(0)
      expect(Object.keys(service.logging?.options ?? {}), name).toEqual(['max-size', 'max-file'])
    }
  })

  it('publishes ports on 127.0.0.1 only, and leaves enough time to stop', () => {
    for (const [name, service] of Object.entries(services)) {
      for (const port of service.ports ?? []) expect(port, name).toMatch(/^127\.0\.0\.1:/)
      if (!isOwn(service)) continue
      const { shutdownDeadlineMs, runDeadlineMs } = load(filled(service.environment))
      const sessionsEnd = name === 'run' || file.includes('embedded') ? runDeadlineMs : 0
      const grace = Number.parseInt(service.stop_grace_period ?? '0', 10) * 1000
      expect(grace, name).toBeGreaterThan(sessionsEnd + shutdownDeadlineMs)
    }
  })
})

describe('docker-compose.embedded.yml', () => {
  it('runs everything in one process, with its data in a named volume', () => {
    const [[, service]] = Object.entries(embedded.services) as [[string, ComposeService]]
    const variables = filled(service.environment)
    for (const variable of Object.keys(variables)) expect(Object.keys(environment.shape)).toContain(variable)
    expect(load(variables).engines.mongodb).toBeUndefined()
    // the default command of the image: dist/workers/all.js
    expect(service.command).toBeUndefined()
    const [, folder] = /PRECEDENT_DATA_DIR=(\S+)/.exec(dockerfile) as RegExpExecArray
    expect(service.volumes).toEqual([`data:${folder}`])
    expect(embedded.volumes).toHaveProperty('data')
  })
})

describe('docker-compose.yml', () => {
  it('runs exactly the processes of the Procfile, with the same commands', () => {
    expect(Object.fromEntries(own.map(([name, { command }]) => [name, command]))).toEqual(procfile)
  })

  it.each(own)('gives %s settings that the service accepts', (name, service) => {
    const variables = filled(service.environment)
    for (const variable of Object.keys(variables)) expect(Object.keys(environment.shape)).toContain(variable)
    const { engines: chosen, healthPort, port } = load(variables, name as 'web')
    const hosts = { mongodb: 'mongo', redis: 'redis', elasticsearch: 'elasticsearch' } as const
    for (const [engine, host] of Object.entries(hosts)) {
      expect(chosen[engine as keyof typeof hosts]?.url).toContain(`//${host}:`)
    }
    // the health check of the image prefers PRECEDENT_HEALTH_PORT to PORT
    if (name === 'web') expect(healthPort).toBe(port)
    expect(healthPort).toBeGreaterThan(0)
  })

  it('restarts every container that ends, and starts the service only after its engines are healthy', () => {
    for (const [name, service] of [...own, ...engines]) expect(service.restart, name).toBe('unless-stopped')
    for (const [name, service] of engines) expect(service.healthcheck?.test, name).toBeDefined()
    const healthy = { condition: 'service_healthy' }
    for (const [, service] of own) {
      expect(service.depends_on).toEqual({
        [initJob]: { condition: 'service_completed_successfully' },
        redis: healthy,
        elasticsearch: healthy,
      })
    }
    expect(compose.services[initJob]).toMatchObject({ restart: 'on-failure', depends_on: { mongo: healthy } })
  })

  it('keeps the data of each engine in a named volume, and publishes no port of an engine', () => {
    for (const [name, { volumes = [], ports = [] }] of engines) {
      expect(volumes.map((volume) => volume.split(':')[0])).toEqual([name])
      expect(compose.volumes).toHaveProperty(name)
      expect(ports, name).toEqual([])
    }
  })

  it('creates no anonymous volume', () => {
    expect(dockerfile).not.toMatch(/^VOLUME/m)
    // the volumes that the images declare
    const declared = { 'mongo:8.0': ['/data/db', '/data/configdb'], 'redis:7.4': ['/data'] }
    for (const [name, { image, volumes = [], tmpfs = [] }] of Object.entries(compose.services)) {
      const mounted = [...volumes.map((volume) => volume.split(':')[1]), ...tmpfs.map((path) => path.split(':')[0])]
      for (const path of declared[image as keyof typeof declared] ?? []) expect(mounted, name).toContain(path)
    }
  })

  it('runs Redis without eviction, and MongoDB as the replica set that MONGODB_URL names', () => {
    expect(compose.services.redis?.command).toContain('--maxmemory-policy noeviction')
    expect(compose.services.redis?.command).toContain('--appendonly yes')
    const [, set] = /--replSet (\w+)/.exec(String(compose.services.mongo?.command)) as RegExpExecArray
    for (const [, service] of own) expect(service.environment?.MONGODB_URL).toContain(`replicaSet=${set}`)
    expect(String(compose.services[initJob]?.command)).toContain(`_id: '${set}'`)
  })
})

describe('the Dockerfile', () => {
  const lines = dockerfile.split('\n')

  it('copies only files that .dockerignore allows', () => {
    const through = new Set([...read('.dockerignore').matchAll(/^!(.+)$/gm)].map(([, name]) => name))
    const copied = lines
      .filter((line) => /^COPY (?!--from)/.test(line))
      .flatMap((line) => line.split(/\s+/).slice(1, -1))
    expect(copied.length).toBeGreaterThan(5)
    for (const name of copied) expect([...through]).toContain(name)
  })

  it('puts the precedent command on the PATH, and checks the health by /readyz', () => {
    expect(dockerfile).toContain('ln -s /app/dist/src/cli/precedent.js /usr/local/bin/precedent')
    const [, json = ''] = /^HEALTHCHECK .*\\\n\s+CMD (.+)$/m.exec(dockerfile) as RegExpExecArray
    const [program, , script = ''] = JSON.parse(json) as string[]
    expect(program).toBe('node')
    expect(() => new Function(script)).not.toThrow()
    expect(script).toContain('/readyz')
  })

  it('runs as an unprivileged user, on a Node version that the package supports', () => {
    expect(lines.lastIndexOf('USER node')).toBeGreaterThan(0)
    const last = lines.findLastIndex((line) => line.startsWith('FROM'))
    expect(lines.slice(last).filter((line) => line.startsWith('USER'))).toEqual(['USER node'])
    const { engines: floor } = JSON.parse(read('package.json')) as { engines: { node: string } }
    const major = Number(/node:(\d+)-/.exec(lines[last] as string)?.[1])
    expect(major).toBeGreaterThanOrEqual(Number(/\d+/.exec(floor.node)?.[0]))
  })
})
