/** The streams that are open: how many each caller may have, and their end when the server stops. */
import { problem } from '../../problem.ts'
import type { Shared } from '../base/limits.ts'
import { sharesOf, type Taker } from './shares.ts'

export interface Streams {
  /**
   * Returns a function that frees the place. `stop` is called when the server stops. Throws rate_limited if there are
   * too many, and unavailable if the server is stopping.
   */
  enter(by: Taker, stop: () => void): () => void
  /** Ends all streams, because the server stops. */
  stop(): void
}

export function streamsOf(most: Shared): Streams {
  const places = sharesOf(most)
  const open = new Set<() => void>()
  let isStopping = false

  return {
    enter(by, stop) {
      if (isStopping) {
        throw problem('unavailable', 'The service is stopping. Connect again.', { headers: { 'Retry-After': '2' } })
      }
      if (!places.take(by, 1)) throw tooMany(most.credential)
      open.add(stop)
      return () => {
        if (open.delete(stop)) places.give(by, 1)
      }
    },
    stop() {
      isStopping = true
      for (const stop of open) stop()
    },
  }
}

function tooMany(most: number) {
  const detail = `This credential has ${most} streams open, or its workspace or all callers have too many. End some, or poll instead.`
  return problem('rate_limited', detail, { headers: { 'Retry-After': '15' } })
}
