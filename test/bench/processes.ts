/** Starts the processes that are measured: the real service and the baselines, each in a new folder. */
import assert from 'node:assert/strict'
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Started, startService } from '../support/service.ts'
import type { Target } from './client.ts'

/** Runs `work` with an empty folder, and deletes the folder afterwards. */
export async function inFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'precedent-bench-'))
  try {
    return await work(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

interface ServiceOptions {
  /** Fills the folder before the service starts. */
  prepare?: (folder: string) => Promise<void>
  env?: Record<string, string>
}

/** The service as an operator starts it, on an empty store or on one that `prepare` makes. */
export async function withService<T>(
  work: (service: Started) => Promise<T>,
  { prepare = async () => {}, env = {} }: ServiceOptions = {},
): Promise<T> {
  return inFolder(async (folder) => {
    await prepare(folder)
    const service = await startService({ dataDir: folder, env })
    try {
      return await work(service)
    } finally {
      await service.stop()
    }
  })
}

/** Bare Koa on a SQLite file (baselines/koa.ts). */
export async function withKoa<T>(work: (target: Target) => Promise<T>, env: Record<string, string> = {}): Promise<T> {
  return withServer('koa', [], env, work)
}

/** Bare Koa that follows the supersessions of so many decisions (baselines/graph.ts). */
export async function withGraphs<T>(decisions: number, work: (target: Target) => Promise<T>): Promise<T> {
  return withServer('graph', [String(decisions)], {}, work)
}

async function withServer<T>(
  name: string,
  args: string[],
  env: Record<string, string>,
  work: (target: Target) => Promise<T>,
): Promise<T> {
  return inFolder(async (folder) => {
    const child = baseline(name, [folder, ...args], env)
    const { port } = await messageOf<{ port: number }>(child)
    try {
      return await work({ url: `http://127.0.0.1:${port}`, key: 'none' })
    } finally {
      child.disconnect()
      await once(child, 'exit')
    }
  })
}

/** Milliseconds of a bulk insert of `count` decisions (baselines/bulk.ts). */
export async function bulkInsert(first: number, count: number): Promise<number> {
  return inFolder(async (folder) => {
    const child = baseline('bulk', [folder, String(first), String(count)])
    const ended = once(child, 'exit')
    const { ms } = await messageOf<{ ms: number }>(child)
    await ended
    return ms
  })
}

/** Resident memory of a process, in MB of 1,000,000 bytes. undefined: the system does not tell. */
export function residentMegabytes({ pid }: ChildProcess): number | undefined {
  if (process.platform !== 'linux') return undefined
  const kibibytes = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  assert(kibibytes !== undefined, `the process ${pid} is gone`)
  return (Number(kibibytes) * 1024) / 1e6
}

function baseline(name: string, args: string[], env: Record<string, string> = {}): ChildProcess {
  return fork(join(import.meta.dirname, 'baselines', `${name}.js`), args, { env: { ...process.env, ...env } })
}

function messageOf<T>(child: ChildProcess): Promise<T> {
  return new Promise((resolve, reject) => {
    child.once('message', (message) => resolve(message as T))
    child.once('exit', (code) => reject(new Error(`a baseline ended with ${code} before it answered`)))
  })
}
