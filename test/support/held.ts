/** How long the thread was held at once while something was done in this process. */
import { performance } from 'node:perf_hooks'

/** ms. Often enough to tell turns apart. */
const lookEvery = 1

/**
 * `held`: the longest ms between two timers that were due. Neither other processes nor other threads count: of elapsed
 * time and processor time it takes the lesser.
 */
export async function heldBy<Result>(work: () => Promise<Result>): Promise<{ result: Result; held: number }> {
  let held = 0
  let before = now()
  const look = () => {
    const here = now()
    held = Math.max(held, Math.min(here.elapsed - before.elapsed, here.processor - before.processor))
    before = here
  }
  const timer = setInterval(look, lookEvery)
  try {
    const result = await work()
    look()
    return { result, held }
  } finally {
    clearInterval(timer)
  }
}

function now() {
  const { user, system } = process.cpuUsage()
  return { elapsed: performance.now(), processor: (user + system) / 1000 }
}
