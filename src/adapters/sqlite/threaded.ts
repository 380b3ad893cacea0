/**
 * A SQLite file with a thread for its writer, so that requests never wait for the disk. Reads run in the caller's
 * thread, on a separate connection that sees committed data.
 */
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { EngineUnavailable } from '../../ports/unavailable.ts'
import { closeDatabase, type Database, type FileSettings, openReader } from './base/database.ts'
import { openSqlite, readOn, type Sqlite } from './connection.ts'
import type { Failure, FromWriter, ToWriter } from './writer-thread.ts'

/** The file of the thread. Node 20 can't run TypeScript in a thread, so without a build there is none. */
const builtThread = import.meta.url.endsWith('.js') ? new URL('./writer-thread.js', import.meta.url) : undefined

/** MB. The thread keeps nothing that is sent to it. */
const resourceLimits = { maxYoungGenerationSizeMb: 24 }

/** Opens the file of a service. With a writer thread if the code is built, as `npm start` does. */
export async function openServedSqlite(settings: FileSettings): Promise<Sqlite> {
  return builtThread ? openThreadedSqlite({ ...settings, module: builtThread }) : openSqlite(settings)
}

/** Opens the file, or creates it. Rejects with EngineUnavailable. `module`: the built writer-thread. */
export async function openThreadedSqlite({ module, ...settings }: FileSettings & { module: URL }): Promise<Sqlite> {
  const thread = new Worker(module, { workerData: settings, resourceLimits })
  await ready(thread)
  const reader = openReader(settings.path)
  const asking = askingOf(thread)
  let closed: Promise<void> | undefined
  return {
    path: settings.path,
    call: (name, ...args) => asking.ask(name, args) as Promise<never>,
    read: (work) => readOn(reader, work),
    limitPages: (pages) => thread.postMessage({ limitPages: pages } satisfies ToWriter),
    close() {
      closed ??= close(thread, reader, asking)
      return closed
    },
  }
}

/**
 * Rejects if the file can't be opened. If the thread crashes later, the process ends too, because pending writes are
 * lost.
 */
async function ready(thread: Worker): Promise<void> {
  // rejects if the thread fails to start
  const [{ opened }] = (await once(thread, 'message')) as [FromWriter]
  if (opened !== true) throw errorOf(opened as Failure)
}

interface Asking {
  ask(name: string, args: readonly unknown[]): Promise<unknown>
  /** Sends pending calls and accepts no more. */
  end(): void
}

interface Waiting {
  resolve(result: unknown): void
  reject(error: unknown): void
}

/** With this many rows the thread works longer than the transfer takes, so they are sent at once. */
const manyRows = 64

function rowsIn(args: readonly unknown[]): number {
  return args.reduce<number>((sum, arg) => sum + (Array.isArray(arg) ? arg.length : 0), 0)
}

function askingOf(thread: Worker): Asking {
  const waiting = new Map<number, Waiting>()
  let calls: [id: number, name: string, args: readonly unknown[]][] = []
  let rows = 0
  let newest = 0
  let refusal: EngineUnavailable | undefined

  function handOver(): void {
    if (calls.length === 0) return
    thread.postMessage({ calls } satisfies ToWriter)
    calls = []
    rows = 0
  }

  thread.on('message', ({ done = [], failed = [] }: FromWriter) => {
    for (const [id, result] of done) {
      const { resolve } = waiting.get(id) as Waiting
      waiting.delete(id)
      resolve(result)
    }
    for (const [id, failure] of failed) {
      const { reject } = waiting.get(id) as Waiting
      waiting.delete(id)
      reject(errorOf(failure))
    }
  })
  thread.once('exit', () => {
    refusal ??= new EngineUnavailable('sqlite', 'the writer has ended')
    for (const { reject } of waiting.values()) reject(refusal)
    waiting.clear()
  })

  return {
    ask(name, args) {
      if (refusal) return Promise.reject(refusal)
      return new Promise((resolve, reject) => {
        // send the calls of this tick together: a message costs more than its content
        if (calls.length === 0) setImmediate(handOver)
        newest += 1
        waiting.set(newest, { resolve, reject })
        calls.push([newest, name, args])
        rows += rowsIn(args)
        // otherwise all callers of one transaction would call again together, and the two threads would take turns
        // waiting
        if (rows >= manyRows) handOver()
      })
    },
    end() {
      handOver()
      refusal ??= new EngineUnavailable('sqlite', 'closed', undefined, 'closed')
    },
  }
}

function errorOf({ engine, message, trouble }: Failure): Error {
  return engine === undefined ? new Error(message) : new EngineUnavailable(engine, message, undefined, trouble)
}

async function close(thread: Worker, reader: Database, asking: Asking): Promise<void> {
  asking.end()
  const ended = new Promise((resolve) => thread.once('exit', resolve))
  closeDatabase(reader)
  thread.postMessage({ close: true } satisfies ToWriter)
  await ended
}
