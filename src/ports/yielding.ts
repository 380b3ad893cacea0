/** Lets the event loop serve others in the midst of long work: in one process the same thread answers requests. */
import { setImmediate } from 'node:timers/promises'
import type { Clock } from './clock.ts'

/** ms of work in one piece: a request that comes meanwhile waits for it. */
const workedAtMost = 50

/** Call between two pieces of work. It waits only when `workedAtMost` has passed since it last did. */
export type Pause = () => Promise<void>

export function pausing({ elapsed }: Pick<Clock, 'elapsed'>, after = workedAtMost): Pause {
  let since = elapsed()
  return async () => {
    if (elapsed() - since < after) return
    await setImmediate()
    since = elapsed()
  }
}
