/**
 * Splits long work, so that the thread can serve requests in between. In one process, workers and requests share a
 * thread.
 */
import { performance } from 'node:perf_hooks'
import { setImmediate } from 'node:timers/promises'

/**
 * ms. Yielding costs about 10 µs, far less than this. Each of the about ten steps of a write may have to wait this
 * long.
 */
const longestTurn = 2

/** Await it between the parts of the work: yields to the event loop if the current turn has lasted long enough. */
export function inTurns(): () => Promise<void> {
  let began = performance.now()
  return async () => {
    if (performance.now() - began < longestTurn) return
    await setImmediate()
    began = performance.now()
  }
}
