/** Measures how long work in this process blocks the thread. */
import { readFileSync } from 'node:fs'
import { performance } from 'node:perf_hooks'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

export interface Held<Result> {
  result: Result
  /** The longest time between two turns of the event loop, in ms of processor time of this thread. */
  longest: number
  /** ms of processor time of all the work. */
  total: number
}

/** What a busy machine adds to processor time, such as cold caches, seldom comes three times. What is too slow does. */
const tries = 3

/**
 * The best of some tries: the first whose longest turn is below the bound. So `work` must be repeatable, and as long each
 * time. `bound`: ms.
 */
export async function heldBy<Result>(work: () => Promise<Result>, bound = 200): Promise<Held<Result>> {
  // test files share a heap: this one may pay for the garbage of the files before. Collecting it takes long
  let best = await heldOnce(work)
  for (let again = 0; again < tries && best.longest >= bound; again++) {
    collectGarbage()
    const next = await heldOnce(work)
    if (next.longest < best.longest) best = next
  }
  return best
}

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

/** ms of processor time of this thread. The least of some tries: the first that takes no more than `enough`. */
export function costOf(work: () => unknown, enough: number): number {
  let cost = Number.POSITIVE_INFINITY
  for (let again = 0; again < tries && cost > enough; again++) {
    if (again > 0) collectGarbage()
    const began = processorTime()
    work()
    cost = Math.min(cost, processorTime() - began)
  }
  return cost
}

async function heldOnce<Result>(work: () => Promise<Result>): Promise<Held<Result>> {
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
  return { elapsed: performance.now(), processor: processorTime() }
}

/** ms. On Linux of this thread alone. Elsewhere with the threads of the garbage collector and the compiler. */
function processorTime(): number {
  if (process.platform === 'linux')
    return Number(readFileSync('/proc/thread-self/schedstat', 'utf8').split(' ')[0]) / 1e6
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}
