/**
 * Runs compare tasks (compare-tasks.ts) in a worker thread, so that rules never block requests. While there is little
 * text to compare, tasks run in the calling thread instead: a service with few writes needs no thread.
 */
import { idleThread } from '../../ports/idle-thread.ts'
import { type Compared, type Comparison, compareTask } from './compare-tasks.ts'

export interface CompareWorker {
  /** Rejects if the thread ended before it answered. The caller may try again. */
  run(comparison: Comparison): Promise<Compared>
  close(): Promise<void>
}

/** The built file of the thread. Undefined when this file runs unbuilt, because Node 20 runs no TypeScript in a thread. */
const builtThread = import.meta.url.endsWith('.js') ? new URL('./compare-worker-thread.js', import.meta.url) : undefined
/** MB. Its data lives briefly. Without a limit, its heap would grow as large as the heap of the rest of the process. */
const resourceLimits = { maxYoungGenerationSizeMb: 8, maxOldGenerationSizeMb: 256 }
/** ms without a task until the thread ends, to free the memory of its caches. */
const idleFor = 60_000
/** Characters per second that are compared without a thread: about 10 ms of processor time. */
const littlePerSecond = 10_000

/** Uses a thread if the service is built, as with `npm start`. */
export function openCompareWorker(): CompareWorker {
  return builtThread ? threadedCompareWorker(builtThread) : inlineCompareWorker
}

/** Runs tasks in the calling thread. */
export const inlineCompareWorker: CompareWorker = {
  run: async (comparison) => compareTask(comparison),
  close: async () => {},
}

/**
 * `module`: URL of the built compare-worker-thread. The thread starts when more than `little` characters arrive in one
 * second, and ends after `idleMs` without a task.
 */
export function threadedCompareWorker(module: URL, { idleMs = idleFor, little = littlePerSecond } = {}): CompareWorker {
  const ended = 'the thread that compares has ended'
  const thread = idleThread<Comparison>(module, { ended, resourceLimits, idleMs })
  let second = 0
  let charactersInSecond = 0

  function isLittle({ row, others }: Comparison): boolean {
    const now = Math.trunc(performance.now() / 1000)
    if (now !== second) charactersInSecond = 0
    second = now
    for (const { title, text } of [row, ...others.map((other) => other.row)]) {
      charactersInSecond += title.length + text.length
    }
    return charactersInSecond <= little
  }

  return {
    async run(comparison) {
      if (!thread.isRunning() && isLittle(comparison)) return compareTask(comparison)
      return (await thread.ask(comparison)) as Compared
    },
    close: () => thread.close(),
  }
}
