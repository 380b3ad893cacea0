/** Measures how long work in this process blocks the thread. */
import { performance } from 'node:perf_hooks'

export interface Held<Result> {
  result: Result
  /**
   * The longest time between two turns of the event loop, in ms. The smaller of elapsed and processor time, so that
   * other processes don't matter.
   */
  longest: number
  /** ms of processor time of all the work. It includes the garbage collector's threads, so a bound needs a margin. */
  total: number
}

export async function heldBy<Result>(work: () => Promise<Result>): Promise<Held<Result>> {
  const began = now()
  let longest = 0
  let before = began
  let next = setImmediate(look)
  function look(): void {
    measure()
    next = setImmediate(look)
  }
  function measure(): void {
    const here = now()
    longest = Math.max(longest, Math.min(here.elapsed - before.elapsed, here.processor - before.processor))
    before = here
  }
  try {
    const result = await work()
    measure()
    return { result, longest, total: before.processor - began.processor }
  } finally {
    clearImmediate(next)
  }
}

function now() {
  const { user, system } = process.cpuUsage()
  return { elapsed: performance.now(), processor: (user + system) / 1000 }
}
