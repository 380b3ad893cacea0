/** Starts the real service, as a process of its own, on a data directory and a port of its own. */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export const repository = join(
  import.meta.dirname,
  import.meta.dirname.includes(`${join('dist', 'test')}`) ? '../../..' : '../..',
)
export const adminKey = 'svc_sk_0123456789abcdefghijklmnopqrstuvwxyzABCDEF'

/** Bytes of its log, the newest. */
const mostKept = 1_000_000

export interface Started {
  url: string
  key: string
  dataDir: string
  child: ChildProcess
  /** Everything it wrote to standard error. */
  log(): string
  /** SIGTERM, then its exit code. */
  stop(): Promise<number | null>
  /** SIGKILL, and it is gone. */
  kill(): Promise<void>
}

/** npm run build must have run: `npm test` does. */
export async function startService(
  options: { dataDir?: string; env?: Record<string, string>; port?: number } = {},
): Promise<Started> {
  const dataDir = options.dataDir ?? mkdtempSync(join(tmpdir(), 'precedent-test-'))
  const child = spawn(process.execPath, [join(repository, 'dist/workers/all.js')], {
    env: {
      PATH: process.env.PATH ?? '',
      PORT: String(options.port ?? 0),
      PRECEDENT_DATA_DIR: dataDir,
      PRECEDENT_BOOTSTRAP_KEY: adminKey,
      PRECEDENT_RATE_LIMIT: '0',
      PRECEDENT_LOG_LEVEL: 'info',
      ...options.env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
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
  const url = await ready(child, log)
  return {
    url,
    key: adminKey,
    dataDir,
    child,
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

export function removeData(dataDir: string): void {
  rmSync(dataDir, { recursive: true, force: true })
}

/** The url of the log line that says so. */
function ready(child: ChildProcess, log: () => string): Promise<string> {
  return new Promise((resolve, reject) => {
    const look = () => {
      const line = log()
        .split('\n')
        .find((one) => one.includes('precedent is ready'))
      if (!line) return
      child.stderr?.off('data', look)
      resolve((JSON.parse(line) as { url: string }).url)
    }
    child.stderr?.on('data', look)
    child.once('exit', (code) => reject(new Error(`the service ended with ${code} before it was ready:\n${log()}`)))
  })
}
