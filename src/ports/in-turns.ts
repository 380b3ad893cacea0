/**
 * Splits long work, so that the thread can serve requests in between. In one process, workers and requests share a
 * thread.
 */
import { performance } from 'node:perf_hooks'
import { nextTurn } from './next-turn.ts'

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
    await nextTurn()
    began = performance.now()
  }
}

/**
 * Runs work of many callers in their order, at most one piece in each turn of the event loop. Otherwise the pieces of all
 * callers that wait together would run in one turn.
 */
export function onePerTurn(): <Result>(work: () => Result) => Promise<Result> {
  let before: Promise<unknown> = Promise.resolve()
  return (work) => {
    const result = before.then(work)
    before = result.then(nextTurn, nextTurn)
    return result
  }
}
