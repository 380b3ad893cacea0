/**
 * Who examines (examine.ts): a thread of its own, so that whoever is served never waits for a rule. What is little is
 * done here: a service that is written to now and then needs no thread.
 */
import { Worker } from 'node:worker_threads'
import { type Examination, examinations } from './examine.ts'
import type { FromExaminer, ToExaminer } from './examiner-thread.ts'

type Of<E extends Examination> = (typeof examinations)[E]

export interface Examiner {
  /** Rejects where the thread has ended: try again, there will be another. */
  examine<E extends Examination>(what: E, argument: Parameters<Of<E>>[0]): Promise<ReturnType<Of<E>>>
  close(): Promise<void>
}

/** The thread's file; Node 20 runs no TypeScript in a thread, so there is none where this runs unbuilt. */
const builtThread = import.meta.url.endsWith('.js') ? new URL('./examiner-thread.js', import.meta.url) : undefined
/** MB. What it makes of a text is soon forgotten; without limits it would take as much as the rest of the process. */
const resourceLimits = { maxYoungGenerationSizeMb: 8, maxOldGenerationSizeMb: 256 }
/** ms without work until the thread ends: what it knows of texts takes memory. */
const idleFor = 60_000

/** With a thread where it is built, as `npm start` does. */
export function openExaminer(): Examiner {
  return builtThread ? threadedExaminer(builtThread) : examiner
}

/** Characters of a second that are examined without a thread: that takes some 10 ms. */
const littlePerSecond = 10_000

/** In the caller's thread. */
export const examiner: Examiner = {
  examine: async (what, argument) => examinations[what](argument as never) as never,
  close: async () => {},
}

interface Thread {
  worker: Worker
  waiting: Map<number, { resolve(result: never): void; reject(error: unknown): void }>
}

/** `module`: where the built examiner-thread is. It is begun when there is much, and ends when there was nothing for long. */
export function threadedExaminer(module: URL, { idleMs = idleFor, little = littlePerSecond } = {}): Examiner {
  let thread: Thread | undefined
  let second = 0
  let examined = 0
  let asked = 0
  let idle: NodeJS.Timeout | undefined

  function begun(): Thread {
    const made: Thread = { worker: new Worker(module, { resourceLimits }), waiting: new Map() }
    // whoever waits for an answer is what keeps the process
    made.worker.unref()
    made.worker.on('message', ({ id, result }: FromExaminer) => {
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

  function isLittle(argument: Parameters<Of<Examination>>[0]): boolean {
    const now = Math.trunc(performance.now() / 1000)
    if (now !== second) examined = 0
    second = now
    for (const one of argument) {
      const rows = 'row' in one ? [one.row, ...one.others] : [one]
      for (const { title, text } of rows) examined += title.length + text.length
    }
    return examined <= little
  }

  async function end(ended: Thread): Promise<void> {
    // what is asked from now on is for another
    if (thread === ended) thread = undefined
    await ended.worker.terminate()
  }

  return {
    examine(what, argument) {
      if (!thread && isLittle(argument)) return examiner.examine(what, argument)
      clearTimeout(idle)
      thread ??= begun()
      const { worker, waiting } = thread
      asked += 1
      const id = asked
      return new Promise((resolve, reject) => {
        waiting.set(id, { resolve, reject })
        worker.postMessage({ id, what, argument } satisfies ToExaminer)
      })
    },
    async close() {
      clearTimeout(idle)
      if (thread) await end(thread)
    },
  }
}
