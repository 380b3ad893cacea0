/**
 * A worker thread for work that would block requests. It starts with the first request, and ends after some time without
 * one, so that a service that does not need it spends no memory on it.
 */
import assert from 'node:assert/strict'
import { setPriority } from 'node:os'
import { type MessagePort, parentPort, type ResourceLimits, Worker } from 'node:worker_threads'

export interface IdleThread<Request> {
  isRunning(): boolean
  /**
   * Rejects if the request failed, or if the thread ended before it answered. The caller may try again: the next request
   * starts a new thread.
   */
  ask(request: Request): Promise<unknown>
  close(): Promise<void>
}

interface Options {
  /** Says what ended, in the error of requests that got no answer. */
  ended: string
  resourceLimits: ResourceLimits
  /** ms without a request until the thread ends. */
  idleMs: number
}

interface Asked<Request> {
  id: number
  request: Request
}
type Answered = { id: number; result: unknown } | { id: number; error: unknown }

interface Thread {
  worker: Worker
  waiting: Map<number, { resolve(result: unknown): void; reject(error: unknown): void }>
}

/** `module`: URL of a built file that calls answerInThread(). */
export function idleThread<Request>(module: URL, { ended, resourceLimits, idleMs }: Options): IdleThread<Request> {
  let thread: Thread | undefined
  let lastId = 0
  let idle: NodeJS.Timeout | undefined

  function started(): Thread {
    const made: Thread = { worker: new Worker(module, { resourceLimits }), waiting: new Map() }
    // the thread alone must not keep the process alive
    made.worker.unref()
    made.worker.on('message', (answer: Answered) => {
      const waiter = made.waiting.get(answer.id)
      made.waiting.delete(answer.id)
      if ('error' in answer) waiter?.reject(answer.error)
      else waiter?.resolve(answer.result)
      if (made.waiting.size === 0) idle = setTimeout(() => void end(made), idleMs).unref()
    })
    let failure: unknown = new Error(ended)
    made.worker.once('error', (error) => {
      failure = error
    })
    made.worker.once('exit', () => {
      if (thread === made) thread = undefined
      for (const { reject } of made.waiting.values()) reject(failure)
    })
    return made
  }

  async function end(old: Thread): Promise<void> {
    // cleared first, so that later requests start a new thread
    if (thread === old) thread = undefined
    await old.worker.terminate()
  }

  return {
    isRunning: () => thread !== undefined,
    ask(request) {
      clearTimeout(idle)
      thread ??= started()
      const { worker, waiting } = thread
      lastId += 1
      const id = lastId
      return new Promise((resolve, reject) => {
        waiting.set(id, { resolve, reject })
        worker.postMessage({ id, request } satisfies Asked<Request>)
      })
    },
    async close() {
      clearTimeout(idle)
      if (thread) await end(thread)
    },
  }
}

/** Nice value, of at most 19: the thread gets little time while other threads are busy, but it never starves. */
const nice = 10

/** Called by the file of a thread: answers each request. It has a low priority, so that requests of callers come first. */
export function answerInThread<Request>(answer: (request: Request) => unknown): void {
  const port = parentPort as MessagePort
  assert(port, 'this file must run as a worker thread')
  // on Linux setpriority(2) changes this thread alone; on other systems it would change the whole process
  if (process.platform === 'linux') setPriority(nice)
  port.on('message', async ({ id, request }: Asked<Request>) => {
    try {
      port.postMessage({ id, result: await answer(request) } satisfies Answered)
    } catch (error) {
      // a copy keeps the stack
      port.postMessage({ id, error } satisfies Answered)
    }
  })
}
