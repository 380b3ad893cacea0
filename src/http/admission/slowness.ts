/** Refuses bodies that arrive too slowly, because each of them occupies memory and a connection. */
import { problem } from '../../problem.ts'
import type { Limits } from '../base/limits.ts'

export interface Slowness {
  /** `length`: bytes received so far. Calls `refuse` once if too few arrive in a window. Returns a function that stops it. */
  watch(length: () => number, refuse: (error: Error) => void): () => void
}

interface Watched {
  length: () => number
  refuse: (error: Error) => void
  /** ms: when the window began. */
  since: number
  /** Bytes received before the window. */
  before: number
}

/** Checks of all bodies in one window. */
const checksPerWindow = 5

/** `elapsed`: ms of a monotonic clock. */
export function slownessOf(
  { leastBytesPerSecond, rateWindow }: Pick<Limits, 'leastBytesPerSecond' | 'rateWindow'>,
  elapsed: () => number,
): Slowness {
  const all = new Set<Watched>()
  const every = rateWindow / checksPerWindow
  let timer: NodeJS.Timeout | undefined
  let looked = 0

  function look(): void {
    const now = elapsed()
    // the thread was blocked and could not read what arrived meanwhile, so the window starts again
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
    `The body arrived with less than ${bytesPerSecond} bytes a second for ${window / 1000} s. Send it faster.`,
    { headers: { Connection: 'close' } },
  )
}
