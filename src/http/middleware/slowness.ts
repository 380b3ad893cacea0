/** Refuses bodies that arrive so slowly that they only hold memory and connections. */
import { problem } from '../../problem.ts'
import type { Limits } from '../limits.ts'

export interface Slowness {
  /** `length`: bytes by now. Calls `refuse` once, if too few came in one window. Returns what ends that. */
  watch(length: () => number, refuse: (error: Error) => void): () => void
}

interface Watched {
  length: () => number
  refuse: (error: Error) => void
  /** Where the window began: ms, and bytes by then. */
  since: number
  before: number
}

/** How often all bodies are checked in one window. */
const looksInWindow = 5

/** `elapsed`: ms of a clock that never goes back. */
export function slownessOf(
  { leastBytesPerSecond, rateWindow }: Pick<Limits, 'leastBytesPerSecond' | 'rateWindow'>,
  elapsed: () => number,
): Slowness {
  const all = new Set<Watched>()
  const every = rateWindow / looksInWindow
  let timer: NodeJS.Timeout | undefined
  let looked = 0

  function look(): void {
    const now = elapsed()
    // this thread was busy and could not read what had arrived
    const late = now - looked > 2 * every
    looked = now
    for (const one of all) {
      if (late) begin(one, now)
      if (now - one.since < rateWindow) continue
      const came = one.length() - one.before
      begin(one, now)
      if (came * 1000 >= leastBytesPerSecond * rateWindow) continue
      all.delete(one)
      one.refuse(tooSlow(leastBytesPerSecond, rateWindow))
    }
    if (all.size > 0) return
    clearInterval(timer)
    timer = undefined
  }

  return {
    watch(length, refuse) {
      const one = { length, refuse, since: elapsed(), before: length() }
      all.add(one)
      if (timer === undefined) {
        looked = one.since
        timer = setInterval(look, every).unref()
      }
      return () => all.delete(one)
    },
  }
}

function begin(one: Watched, now: number): void {
  one.since = now
  one.before = one.length()
}

function tooSlow(bytesPerSecond: number, window: number) {
  return problem(
    'invalid_request',
    `The body came with less than ${bytesPerSecond} bytes a second for ${window / 1000} s. Send it faster.`,
    { headers: { Connection: 'close' } },
  )
}
