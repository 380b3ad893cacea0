/** Lets a few at a time through: the bodies of imports are large, and each one under way is held in memory. */
import { problem } from '../../problem.ts'

export interface Slots {
  /** Runs it when a slot is free. Throws unavailable when that takes too long, or too many wait already. */
  run<T>(work: () => Promise<T>): Promise<T>
}

/** Who waits longer had better come again: its connection may be cut by then. */
const longestWait = 20_000
const mostWaiting = 8

export function slots(atOnce: number): Slots {
  let free = atOnce
  const queue: (() => void)[] = []

  function turn(): Promise<void> {
    if (free > 0) {
      free -= 1
      return Promise.resolve()
    }
    if (queue.length >= mostWaiting) return Promise.reject(busy())
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        queue.splice(queue.indexOf(begin), 1)
        reject(busy())
      }, longestWait)
      const begin = () => {
        clearTimeout(timer)
        resolve()
      }
      queue.push(begin)
    })
  }

  return {
    async run(work) {
      await turn()
      try {
        return await work()
      } finally {
        const next = queue.shift()
        // handed on, so that nobody who comes later gets between
        if (next) next()
        else free += 1
      }
    },
  }
}

function busy() {
  return problem('unavailable', 'Other imports are under way. Send it again with the same Idempotency-Key.', {
    headers: { 'Retry-After': '5' },
  })
}
