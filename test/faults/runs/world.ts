/**
 * A run worker with executors of its own, that a test may kill or freeze, and the service that it belongs to. On the
 * embedded profile the worker is the whole service. On the scaled profile all worlds share the other processes.
 */
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { vi } from 'vitest'
import { cleanUp, temporaryFolder } from '../../support/clean-up.ts'
import { applied, type Caller, call } from '../../support/http.ts'
import { profile } from '../../support/profile.ts'
import { repository } from '../../support/repository.ts'
import { newDataDir, type Started, startService } from '../../support/service.ts'
import { processesWith, type Told, toldIn } from './told.ts'

/** ms. Far longer than a lost session takes on an idle machine: 60 s for the lease, and some looks. */
export const patience = { timeout: 200_000, interval: 400 }

export interface World {
  caller: Caller
  /** The newest run worker. */
  worker(): Started
  /** Starts another run worker. On the embedded profile the one before must have ended. */
  startWorker(): Promise<Started>
  told(): Told[]
  /** Lets programs end: all, or those of tasks with these instructions. */
  open(what?: string): void
  /** Processes of its sessions, or of those of one run. */
  left(run?: string): number[]
  /** The data directory of its worker. */
  dataDir: string
}

interface Options {
  /** Settings of all its processes. */
  env?: Record<string, string>
  /** Fields of the operator's file. */
  file?: Record<string, unknown>
  /** Variables of the programs. */
  set?: Record<string, string>
}

/** Names of executors, after that of their world. */
export type ExecutorName = 'again' | 'once' | 'single' | 'short' | 'deaf'

/** One key starts and approves all runs here. */
const policy = `policy:
  default: deny
  rules: [{ name: all, when: { labels: [fault] }, then: allow, self_approval: true }]`

export async function startWorld(name: string, { env = {}, file = {}, set = {} }: Options = {}): Promise<World> {
  const folder = temporaryFolder('precedent-runs-')
  const config = join(folder, 'precedent.yaml')
  const environment = { pass: ['PATH'], set: { FAULTS_WORLD: folder, ...set } }
  const program = ['sh', join(repository, 'test/faults/runs/program.sh'), folder]
  const fields = { ...file, executors: executorsOf(name, program, environment) }
  // JSON is YAML
  const lines = Object.entries(fields).map(([field, value]) => `${field}: ${JSON.stringify(value)}`)
  writeFileSync(config, [policy, ...lines].join('\n'))
  const settings = {
    PRECEDENT_CONFIG: config,
    PRECEDENT_RUNS_PER_WORKSPACE: '1000',
    PRECEDENT_HEALTH_PORT: '0',
    ...env,
  }
  const service = await (profile === 'scaled' ? besideOthers(settings) : wholeService(settings))
  let worker: Started
  async function startWorker(): Promise<Started> {
    worker = await service.start()
    return worker
  }
  await startWorker()
  // a test that has failed may leave some that only a SIGKILL ends
  cleanUp(() => {
    for (const pid of processesWith(`FAULTS_WORLD=${folder}`)) process.kill(pid, 'SIGKILL')
  })
  return {
    caller: service.caller(),
    worker: () => worker,
    startWorker,
    told: () => toldIn(folder),
    open: (what) => writeFileSync(join(folder, what === undefined ? 'open' : `open-${what}`), ''),
    left: (run) => processesWith(run === undefined ? `FAULTS_WORLD=${folder}` : `PRECEDENT_SESSION=${run}-`),
    dataDir: service.dataDir,
  }
}

function executorsOf(world: string, command: readonly string[], environment: object) {
  const usual = { type: 'process', command, environment, plans: true, repeatable: true, concurrency: 50 }
  const all: Record<ExecutorName, object> = {
    again: usual,
    once: { ...usual, repeatable: false },
    single: { ...usual, concurrency: 1 },
    short: { ...usual, time_limit: '2s' },
    deaf: { ...usual, command: ['true'] },
  }
  return Object.fromEntries(Object.entries(all).map(([kind, executor]) => [`${world}-${kind}`, executor]))
}

interface Service {
  start(): Promise<Started>
  caller(): Caller
  dataDir: string
}

async function wholeService(env: Record<string, string>): Promise<Service> {
  const dataDir = newDataDir()
  const port = await freePort()
  let started: Started
  return {
    dataDir,
    async start() {
      started = await startService({ dataDir, port, env })
      return started
    },
    caller: () => ({ url: started.url, key: started.key }),
  }
}

/** One for the test file: that for requests. Files share this module, so it is forgotten when the file ends. */
let web: Promise<Started> | undefined

async function besideOthers(settings: Record<string, string>): Promise<Service> {
  if (web === undefined) {
    web = startOthers(settings)
    cleanUp(() => {
      web = undefined
    })
  }
  const { dataDir, url, key } = await web
  return {
    dataDir,
    start: () => startService({ kind: 'run', dataDir, env: settings }),
    caller: () => ({ url, key }),
  }
}

async function startOthers(settings: Record<string, string>): Promise<Started> {
  const dataDir = newDataDir()
  const start = (kind: 'web' | 'apply' | 'index' | 'maintain') => startService({ kind, dataDir, env: settings })
  const [started] = await Promise.all([start('web'), start('apply'), start('index'), start('maintain')])
  return started
}

export interface Task {
  id: string
  run: string
}

export const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

let tasks = 0

interface NewTask {
  what: string
  mode?: 'auto' | 'plan'
  /** With the name of its world. */
  executor: string
}

/** Makes a task with a comment, and starts its run. Repeats what has no answer, as callers should. */
export async function startRun(caller: Caller, { what, executor, mode = 'auto' }: NewTask): Promise<Task> {
  tasks += 1
  const name = `Task ${tasks}: ${what}`
  const execution = { mode: 'none', executor, instructions: what }
  const key = `${executor}-${tasks}`
  // also because a worker that has just started is not known at once
  const insist = async (path: string, of: string, body: object) => {
    const { entity } = await vi.waitFor(() => applied(caller, `/api/v2/tasks${path}`, `${key}-${of}`, body), patience)
    if (entity === undefined) throw new Error(`${path} failed`)
    return entity.id
  }
  const id = await insist('', 'task', { name, execution, labels: ['fault'] })
  await insist(`/${id}/comments`, 'comment', { body: `A comment on ${name}` })
  return { id, run: await insist(`/${id}/run`, 'run', { mode }) }
}

export interface RunBody {
  id: string
  number: number
  state: string
  phase: string
  attempts: number
  plan?: { revision: number; text: string }
  result?: { summary: string }
  error?: { code: string; details?: Record<string, unknown> }
  session?: { id: string; state: string; exit_code?: number; output_tail: string }
  sessions: { id: string; state: string }[]
}

export async function runOf(caller: Caller, { id }: Pick<Task, 'id'>): Promise<RunBody> {
  const { status, body } = await call<RunBody>(caller, 'GET', `/api/v2/tasks/${id}/run`)
  if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`)
  return body
}

export function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number }
      server.close(() => resolve(port))
    })
  })
}
