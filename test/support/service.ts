/** Starts the real service in its own processes, on the run's profile, with its own store and port. */
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import { cleanUp, temporaryFolder } from './clean-up.ts'
import { newStore, type Store } from './profile.ts'
import { repository } from './repository.ts'

export const adminKey = 'svc_sk_0123456789abcdefghijklmnopqrstuvwxyzABCDEF'

/** The newest bytes of its log. */
const mostKept = 1_000_000

export interface Spawned {
  child: ChildProcess
  /** Resolves when it is ready: the url, or '' if it serves no requests. Rejects if it ends before. */
  ready: Promise<string>
  /** Everything written to standard error. */
  log(): string
  /** Sends SIGTERM and returns the exit code. */
  stop(): Promise<number | null>
  /** Sends SIGKILL and waits for the end. */
  kill(): Promise<void>
}

export interface Started extends Omit<Spawned, 'ready'> {
  url: string
  key: string
  /** It also names the store: a service started with the same directory has the same store. */
  dataDir: string
}

export interface StartOptions {
  /** The kind of process; by default `all`. */
  kind?: 'all' | 'web' | 'apply' | 'index' | 'run' | 'code' | 'maintain'
  dataDir?: string
  env?: Record<string, string>
  port?: number
}

/** The store of each data directory, to be deleted with it. */
const stores = new Map<string, Promise<Store>>()

/** Settings of the store of a data directory, to open it beside the service. */
export async function storeOf(dataDir: string): Promise<Record<string, string>> {
  const store = stores.get(dataDir) ?? newStore()
  if (!stores.has(dataDir)) cleanUp(() => removeData(dataDir))
  stores.set(dataDir, store)
  return { ...(await store).env, PRECEDENT_DATA_DIR: dataDir }
}

/** Needs `npm run build`, which `npm test` runs first. */
export async function startService(options: StartOptions = {}): Promise<Started> {
  const dataDir = options.dataDir ?? newDataDir()
  const { ready, ...spawned } = await spawnService({ ...options, dataDir })
  return { ...spawned, url: await ready, key: adminKey, dataDir }
}

/** Does not wait until it is ready. */
export async function spawnService(options: StartOptions & { dataDir: string }): Promise<Spawned> {
  const store = await storeOf(options.dataDir)
  const child = spawn(process.execPath, argumentsOf(options.kind), {
    env: {
      PATH: process.env.PATH ?? '',
      PORT: String(options.port ?? 0),
      PRECEDENT_BOOTSTRAP_KEY: adminKey,
      PRECEDENT_RATE_LIMIT: '0',
      PRECEDENT_LOG_LEVEL: 'info',
      ...store,
      ...options.env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  living.add(child)
  child.once('exit', () => living.delete(child))
  cleanUp(() => child.kill('SIGKILL'))
  const kept: Buffer[] = []
  let length = 0
  // one log line per request costs too little to disturb measurements
  child.stderr.on('data', (chunk: Buffer) => {
    kept.push(chunk)
    length += chunk.length
    while (length > mostKept && kept.length > 1) length -= kept.shift()?.length ?? 0
  })
  const log = () => Buffer.concat(kept).toString()
  child.stdout.resume()
  const exited = new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)))
  const ready = urlOf(child, log)
  // the caller that waits gets the error
  ready.catch(() => {})
  return {
    child,
    ready,
    log,
    async stop() {
      child.kill('SIGTERM')
      return exited
    },
    async kill() {
      child.kill('SIGKILL')
      await exited
    },
  }
}

const living = new Set<ChildProcess>()
// for programs that are no tests, such as the bench
process.once('exit', () => {
  for (const one of living) one.kill('SIGKILL')
})

export function newDataDir(): string {
  return temporaryFolder('precedent-test-')
}

/** Also deletes what the service of this directory stored elsewhere. */
export async function removeData(dataDir: string): Promise<void> {
  rmSync(dataDir, { recursive: true, force: true })
  const store = stores.get(dataDir)
  stores.delete(dataDir)
  await (await store)?.drop()
}

/** Arguments of the script in package.json. If the run of tests has made a bundle, its program is started (programs.setup.ts). */
function argumentsOf(kind: StartOptions['kind'] = 'all'): string[] {
  const { scripts } = JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>
  }
  const [node, ...args] = (scripts[kind === 'all' ? 'start' : kind] as string).split(' ')
  assert(node === 'node')
  const programs = process.env.PRECEDENT_TEST_PROGRAMS ?? join(repository, 'dist/workers')
  return args.map((argument) => (argument.startsWith('dist/') ? join(programs, basename(argument)) : argument))
}

/** The url in the log line; undefined if there is none. */
function urlOf(child: ChildProcess, log: () => string): Promise<string> {
  return new Promise((resolve, reject) => {
    const look = () => {
      const line = log()
        .split('\n')
        .find((one) => one.includes('precedent is ready'))
      if (!line) return
      child.stderr?.off('data', look)
      resolve((JSON.parse(line) as { url?: string }).url ?? '')
    }
    child.stderr?.on('data', look)
    child.once('exit', (code) => reject(new Error(`the service ended with ${code} before it was ready:\n${log()}`)))
  })
}
