/** Long work in turns: between two turns the thread serves requests. In one process the workers share it with them. */
import { performance } from 'node:perf_hooks'
import { setImmediate } from 'node:timers/promises'

/** ms. Far above what giving way costs (some 10 µs); what others wait for in each of the some ten steps of a write. */
const longestTurn = 2

/** To be awaited between parts of the work: gives way if the turn has lasted long enough. */
export function inTurns(): () => Promise<void> {
  let began = performance.now()
  return async () => {
    if (performance.now() - began < longestTurn) return
    await setImmediate()
    began = performance.now()
  }
}
