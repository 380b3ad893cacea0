/**
 * Runs the rules (by-rules.ts) in a worker thread, so that they never block requests. While there is little text to
 * compare, they run in the calling thread instead: a service with few writes needs no thread.
 */
import { idleThread } from '../../ports/idle-thread.ts'
import { type Comparison, foundByRules, type PairFound } from './by-rules.ts'

export interface CompareWorker {
  /** Rejects if a rule threw, or if the thread ended before it answered. The next call starts another thread. */
  run(comparison: Comparison): Promise<PairFound[]>
  close(): Promise<void>
}

/** The built file of the thread. Undefined when this file runs unbuilt, because Node 20 runs no TypeScript in a thread. */
const builtThread = import.meta.url.endsWith('.js') ? new URL('./compare-worker-thread.js', import.meta.url) : undefined
/** MB. Its data lives briefly. Without a limit, its heap would grow as large as the heap of the rest of the process. */
const resourceLimits = { maxYoungGenerationSizeMb: 8, maxOldGenerationSizeMb: 256 }
/** ms without a task until the thread ends, to free the memory of its caches. */
const idleFor = 60_000
/** ms for one row, which usually takes a few. A busy machine may need seconds to start the thread. */
const limit = 60_000
/** Characters per second that are compared without a thread: about 10 ms of processor time. */
const littlePerSecond = 10_000

/** Uses a thread if the service is built, as with `npm start`. */
export function openCompareWorker(): CompareWorker {
  return builtThread ? threadedCompareWorker(builtThread) : inlineCompareWorker
}

/** Runs the rules in the calling thread. */
export const inlineCompareWorker: CompareWorker = {
  run: async (comparison) => foundByRules(comparison),
  close: async () => {},
}

/**
 * `module`: URL of the built compare-worker-thread. The thread starts when more than `little` characters arrive in one
 * second. It ends after `idleMs` without a task, and is stopped if a task takes longer than `limitMs`.
 */
export function threadedCompareWorker(
  module: URL,
  { idleMs = idleFor, limitMs = limit, little = littlePerSecond } = {},
): CompareWorker {
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
      if (!thread.isRunning() && isLittle(comparison)) return foundByRules(comparison)
      const timer = setTimeout(() => void thread.close(), limitMs)
      try {
        return (await thread.ask(comparison)) as PairFound[]
      } finally {
        clearTimeout(timer)
      }
    },
    close: () => thread.close(),
  }
}
