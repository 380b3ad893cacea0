/** Starts a real engine in its own process, on a free port with an empty folder, and stops it. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { env } from 'node:process'
import { cleanUp } from './clean-up.ts'
import { repository } from './repository.ts'

export const engineNames = ['mongodb', 'redis', 'elasticsearch'] as const
export type EngineName = (typeof engineNames)[number]

export interface StartedEngine {
  url: string
  /** The pid of the engine itself, for SIGKILL, SIGSTOP and SIGCONT. */
  pid: number
  /** Stops it cleanly and keeps its data. */
  stop(): Promise<void>
  /** Starts it again on the same port and folder. It gets another pid. */
  start(): Promise<void>
  /** Stops it and deletes its data. */
  remove(): Promise<void>
}

/** ms. Elasticsearch needs 9 s on an idle machine. */
const startsWithin = 120_000
const stopsWithin = 20_000

const schemes: Record<EngineName, string> = { mongodb: 'mongodb', redis: 'redis', elasticsearch: 'http' }

/** The folder with the engines and the program `start`. */
export function enginesFolder(): string {
  return process.env.PRECEDENT_TEST_ENGINES ?? resolve(repository, '../shared/engines')
}

/** The url of a running engine to use, which is not stopped; undefined: tests start their own. */
export function runningUrl(name: EngineName): string | undefined {
  return process.env[`PRECEDENT_TEST_${name.toUpperCase()}_URL`]
}

/** Why tests can't use an engine; undefined: they can. */
export function whyNot(name: EngineName): string | undefined {
  return runningUrl(name) === undefined ? missing(name) : undefined
}

/** Why an engine can't be started; undefined: it can. */
export function missing(name: EngineName): string | undefined {
  const folder = enginesFolder()
  if (!existsSync(join(folder, 'start'))) return `no engines in ${folder}`
  if (name !== 'redis' && !existsSync(join(folder, name))) return `no ${name} in ${folder}`
  return undefined
}

/** Throws with the reason if the engine does not start. */
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
        env: {
          ...env,
          // the program may keep an installed engine in the temporary folder for the next run
          TMPDIR: env.PRECEDENT_TEST_TMPDIR ?? tmpdir(),
          // engines live for seconds or minutes: optimising their code further costs more processor time than it saves
          JDK_JAVA_OPTIONS: '-XX:TieredStopAtLevel=1',
        },
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
  cleanUp(engine.remove)
  try {
    await engine.start()
  } catch (error) {
    await engine.remove()
    throw error
  }
  return engine
}

/** The pid, which the program prints once the engine is ready. */
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

/** Below 60,000, because Elasticsearch also uses the port 100 higher. */
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
