/** Limits how many batches are parsed and accepted at one time. The others wait: workspaces and credentials take turns. */
import { problem } from '../../problem.ts'
import type { Shared } from '../base/limits.ts'
import { roundRobin } from './round-robin.ts'
import { sharesOf, type Taker } from './shares.ts'

export interface Slots {
  /** Runs `work` when a slot is free. Throws unavailable if that takes too long, or if too many callers wait. */
  run<T>(by: Taker, work: () => Promise<T>): Promise<T>
}

/** ms. Longer waits are refused, because proxies may close the connection by then. */
const longestWait = 20_000

export function slots(atOnce: Shared, mostWaiting: Shared): Slots {
  const running = sharesOf(atOnce)
  const waiting = sharesOf(mostWaiting)
  const turns = roundRobin()

  function turn(by: Taker): Promise<void> {
    if (running.take(by, 1)) return Promise.resolve()
    if (!waiting.take(by, 1)) return Promise.reject(busy())
    return new Promise((resolve, reject) => {
      const leave = () => {
        clearTimeout(timer)
        waiting.give(by, 1)
      }
      const timer = setTimeout(() => {
        remove()
        leave()
        reject(busy())
      }, longestWait)
      const remove = turns.add(by, () => {
        leave()
        resolve()
      })
    })
  }

  return {
    async run(by, work) {
      await turn(by)
      try {
        return await work()
      } finally {
        running.give(by, 1)
        turns.begin((next) => running.take(next, 1))
      }
    },
  }
}

function busy() {
  return problem('unavailable', 'Other imports are under way. Send it again with the same Idempotency-Key.', {
    headers: { 'Retry-After': '5' },
  })
}
