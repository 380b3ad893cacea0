/** Starts a real engine in a process of its own, on a free port and an empty folder, and ends it. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { repository } from './service.ts'

export const engineNames = ['mongodb', 'redis', 'elasticsearch'] as const
export type EngineName = (typeof engineNames)[number]

export interface StartedEngine {
  url: string
  /** Of the engine itself: SIGKILL, SIGSTOP and SIGCONT go there. */
  pid: number
  /** Ends it in order and keeps what it holds. */
  stop(): Promise<void>
  /** Starts it again on the same port and folder. The pid is another one then. */
  start(): Promise<void>
  /** Ends it, and removes what it held. */
  remove(): Promise<void>
}

/** ms. Elasticsearch takes 9 s on an idle machine. */
const startsWithin = 120_000
const stopsWithin = 20_000

const schemes: Record<EngineName, string> = { mongodb: 'mongodb', redis: 'redis', elasticsearch: 'http' }

/** Where the engines are: the folder that holds `start`. */
export function enginesFolder(): string {
  return process.env.PRECEDENT_TEST_ENGINES ?? resolve(repository, '../shared/engines')
}

/** Of one that runs already and is left as it is; undefined: tests start their own. */
export function runningUrl(name: EngineName): string | undefined {
  return process.env[`PRECEDENT_TEST_${name.toUpperCase()}_URL`]
}

/** Why tests can't have an engine; undefined: they can. */
export function whyNot(name: EngineName): string | undefined {
  return runningUrl(name) === undefined ? missing(name) : undefined
}

/** Why an engine cannot be started; undefined: it can. */
export function missing(name: EngineName): string | undefined {
  const folder = enginesFolder()
  if (!existsSync(join(folder, 'start'))) return `no engines in ${folder} (PRECEDENT_TEST_ENGINES names another folder)`
  if (name !== 'redis' && !existsSync(join(folder, name))) return `no ${name} in ${folder}`
  return undefined
}

/** Throws with the reason when the engine does not come up. */
export async function startEngine(name: EngineName): Promise<StartedEngine> {
  const reason = missing(name)
  if (reason !== undefined) throw new Error(reason)
  const port = await freePort()
  const directory = await mkdtemp(join(tmpdir(), `precedent-${name}-`))
  let process: ChildProcess | undefined
  const engine: StartedEngine = {
    url: `${schemes[name]}://127.0.0.1:${port}`,
    pid: 0,
    async start() {
      process = spawn(join(enginesFolder(), 'start'), [name, String(port), directory], {
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      engine.pid = await ready(process, name)
    },
    async stop() {
      if (process !== undefined) await end(process)
      process = undefined
    },
    async remove() {
      await engine.stop()
      await rm(directory, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 })
    },
  }
  try {
    await engine.start()
  } catch (error) {
    await engine.remove()
    throw error
  }
  return engine
}

/** The pid that it prints once it answers. */
async function ready(process: ChildProcess, name: EngineName): Promise<number> {
  let said = ''
  const answered = new Promise<number>((resolve, reject) => {
    const hear = (text: Buffer) => {
      said += text
      const pid = new RegExp(`^ready ${name} \\d+ (\\d+)`, 'm').exec(said)?.[1]
      if (pid !== undefined) resolve(Number(pid))
    }
    process.stdout?.on('data', hear)
    process.stderr?.on('data', hear)
    process.once('error', reject)
    process.once('exit', () => reject(new Error(`${name} did not start: ${said.trim() || 'it said nothing'}`)))
  })
  const late = setTimeout(() => process.kill('SIGTERM'), startsWithin)
  return answered.finally(() => clearTimeout(late))
}

async function end(process: ChildProcess): Promise<void> {
  if (process.exitCode !== null || process.signalCode !== null) return
  const ended = once(process, 'exit')
  process.kill('SIGTERM')
  const late = setTimeout(() => process.kill('SIGKILL'), stopsWithin)
  await ended
  clearTimeout(late)
}

/** Below 60,000: Elasticsearch takes one of its own, 100 higher. */
async function freePort(): Promise<number> {
  for (;;) {
    const port = 20_000 + Math.floor(Math.random() * 10_000)
    const server = createServer()
    const free = await new Promise<boolean>((resolve) => {
      server.once('error', () => resolve(false))
      server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
    })
    if (free) return port
  }
}
