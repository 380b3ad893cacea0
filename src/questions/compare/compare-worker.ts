/**
 * Runs compare tasks (compare-tasks.ts) in a worker thread, so that rules never block requests. While there is little
 * text to compare, tasks run in the calling thread instead: a service with few writes needs no thread.
 */
import { Worker } from 'node:worker_threads'
import { type CompareTask, compareTasks } from './compare-tasks.ts'
import type { TaskRequest, TaskResponse } from './compare-worker-thread.ts'

type Of<T extends CompareTask> = (typeof compareTasks)[T]

export interface CompareWorker {
  /** Rejects if the thread ended before it answered. The caller may try again: the next call starts a new thread. */
  run<T extends CompareTask>(task: T, argument: Parameters<Of<T>>[0]): Promise<ReturnType<Of<T>>>
  close(): Promise<void>
}

/** The built file of the thread. Undefined when this file runs unbuilt, because Node 20 runs no TypeScript in a thread. */
const builtThread = import.meta.url.endsWith('.js') ? new URL('./compare-worker-thread.js', import.meta.url) : undefined
/** MB. Its data lives briefly. Without a limit, its heap would grow as large as the heap of the rest of the process. */
const resourceLimits = { maxYoungGenerationSizeMb: 8, maxOldGenerationSizeMb: 256 }
/** ms without a task until the thread ends, to free the memory of its caches. */
const idleFor = 60_000

/** Uses a thread if the service is built, as with `npm start`. */
export function openCompareWorker(): CompareWorker {
  return builtThread ? threadedCompareWorker(builtThread) : inlineCompareWorker
}

/** Characters per second that are compared without a thread: about 10 ms of processor time. */
const littlePerSecond = 10_000

/** Runs tasks in the calling thread. */
export const inlineCompareWorker: CompareWorker = {
  run: async (task, argument) => compareTasks[task](argument as never) as never,
  close: async () => {},
}

interface Thread {
  worker: Worker
  waiting: Map<number, { resolve(result: never): void; reject(error: unknown): void }>
}

/**
 * `module`: URL of the built compare-worker-thread. The thread starts when more than `little` characters arrive in one
 * second, and ends after `idleMs` without a task.
 */
export function threadedCompareWorker(module: URL, { idleMs = idleFor, little = littlePerSecond } = {}): CompareWorker {
  let thread: Thread | undefined
  let second = 0
  let charactersInSecond = 0
  let lastId = 0
  let idle: NodeJS.Timeout | undefined

  function started(): Thread {
    const made: Thread = { worker: new Worker(module, { resourceLimits }), waiting: new Map() }
    // the thread alone must not keep the process alive
    made.worker.unref()
    made.worker.on('message', ({ id, result }: TaskResponse) => {
      made.waiting.get(id)?.resolve(result as never)
      made.waiting.delete(id)
      if (made.waiting.size === 0) idle = setTimeout(() => void end(made), idleMs).unref()
    })
    let failure: unknown = new Error('the thread that compares has ended')
    made.worker.once('error', (error) => {
      failure = error
    })
    made.worker.once('exit', () => {
      if (thread === made) thread = undefined
      for (const { reject } of made.waiting.values()) reject(failure)
    })
    return made
  }

  function isLittle(argument: Parameters<Of<CompareTask>>[0]): boolean {
    const now = Math.trunc(performance.now() / 1000)
    if (now !== second) charactersInSecond = 0
    second = now
    for (const one of argument) {
      const rows = 'row' in one ? [one.row, ...one.others] : [one]
      for (const { title, text } of rows) charactersInSecond += title.length + text.length
    }
    return charactersInSecond <= little
  }

  async function end(ended: Thread): Promise<void> {
    // cleared first, so that later tasks start a new thread
    if (thread === ended) thread = undefined
    await ended.worker.terminate()
  }

  return {
    run(task, argument) {
      if (!thread && isLittle(argument)) return inlineCompareWorker.run(task, argument)
      clearTimeout(idle)
      thread ??= started()
      const { worker, waiting } = thread
      lastId += 1
      const id = lastId
      return new Promise((resolve, reject) => {
        waiting.set(id, { resolve, reject })
        worker.postMessage({ id, task, argument } satisfies TaskRequest)
      })
    },
    async close() {
      clearTimeout(idle)
      if (thread) await end(thread)
    },
  }
}
