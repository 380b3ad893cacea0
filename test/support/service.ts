/** Starts the real service, as processes of its own, on the run's profile, with a store and a port of its own. */
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { newStore, type Store } from './profile.ts'

export const repository = join(
  import.meta.dirname,
  import.meta.dirname.includes(`${join('dist', 'test')}`) ? '../../..' : '../..',
)
export const adminKey = 'svc_sk_0123456789abcdefghijklmnopqrstuvwxyzABCDEF'

/** Bytes of its log, the newest. */
const mostKept = 1_000_000

export interface Spawned {
  child: ChildProcess
  /** Once it works: the url, empty where it answers nobody. Rejects where it ends before. */
  ready: Promise<string>
  /** Everything it wrote to standard error. */
  log(): string
  /** SIGTERM, then its exit code. */
  stop(): Promise<number | null>
  /** SIGKILL, and it is gone. */
  kill(): Promise<void>
}

export interface Started extends Omit<Spawned, 'ready'> {
  url: string
  key: string
  /** Also names its store: a service that is started with it again has the same one. */
  dataDir: string
}

export interface StartOptions {
  /** Which process; `all` where none is named. */
  kind?: 'all' | 'web' | 'apply' | 'index' | 'maintain'
  dataDir?: string
  env?: Record<string, string>
  port?: number
}

/** By data directory: removed with it. */
const stores = new Map<string, Promise<Store>>()

/** What names the store of a data directory, for whoever opens it beside the service. */
export async function storeOf(dataDir: string): Promise<Record<string, string>> {
  const store = stores.get(dataDir) ?? newStore()
  stores.set(dataDir, store)
  return { ...(await store).env, PRECEDENT_DATA_DIR: dataDir }
}

/** npm run build must have run: `npm test` does. */
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
  const kept: Buffer[] = []
  let length = 0
  // a line a request: cheap enough that who measures the service doesn't measure this
  child.stderr.on('data', (chunk: Buffer) => {
    kept.push(chunk)
    length += chunk.length
    while (length > mostKept && kept.length > 1) length -= kept.shift()?.length ?? 0
  })
  const log = () => Buffer.concat(kept).toString()
  child.stdout.resume()
  const exited = new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)))
  const ready = urlOf(child, log)
  // whoever waits for it hears of it
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
// what a test that failed has left running ends with the tests
process.once('exit', () => {
  for (const one of living) one.kill('SIGKILL')
})

export function newDataDir(): string {
  return mkdtempSync(join(tmpdir(), 'precedent-test-'))
}

/** And what the service of this directory kept elsewhere. */
export async function removeData(dataDir: string): Promise<void> {
  rmSync(dataDir, { recursive: true, force: true })
  const store = stores.get(dataDir)
  stores.delete(dataDir)
  await (await store)?.drop()
}

/** As its script in package.json starts it. */
function argumentsOf(kind: StartOptions['kind'] = 'all'): string[] {
  const { scripts } = JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>
  }
  const [node, ...args] = (scripts[kind === 'all' ? 'start' : kind] as string).split(' ')
  assert(node === 'node')
  return args.map((argument) => (argument.startsWith('dist/') ? join(repository, argument) : argument))
}

/** The url of the log line that says so; nothing where it has none. */
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
