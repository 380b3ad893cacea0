/**
 * Keeps the calls of this process below the rate limit of the service, so that a command of thousands of calls slows down
 * and is never refused. Each answer has the limit in the headers RateLimit and RateLimit-Policy.
 */
export interface Pace {
  /** ms to wait before the next call. If it is 0, the call counts as made. */
  next(): number
  /** Reads the limit from the headers of an answer. */
  update(headers: Headers): void
}

/** Calls that are reserved for other processes with the same key, which learn the limit only from their own answers. */
const mostReserved = 50
/** If the allowance is small, only this part of it is reserved. */
const reservedPart = 0.25

interface Allowance {
  /** Calls. */
  most: number
  left: number
  perMs: number
  /** ms: the time of `left`. */
  at: number
}

/** `elapsed`: ms of a monotonic clock. */
export function paceOf(elapsed: () => number): Pace {
  let allowance: Allowance | undefined
  return {
    next() {
      if (allowance === undefined) return 0
      const now = elapsed()
      allowance.left = Math.min(allowance.most, allowance.left + (now - allowance.at) * allowance.perMs)
      allowance.at = now
      const missing = Math.min(mostReserved, allowance.most * reservedPart) + 1 - allowance.left
      if (missing > 0) return Math.ceil(missing / allowance.perMs)
      allowance.left -= 1
      return 0
    },
    update(headers) {
      const policy = /^"requests";q=(\d+);w=(\d+)$/.exec(headers.get('ratelimit-policy') ?? '')
      const now = /^"requests";r=(\d+);/.exec(headers.get('ratelimit') ?? '')
      if (!policy || !now) return
      const [most, seconds] = [Number(policy[1]), Number(policy[2])]
      allowance = { most, left: Number(now[1]), perMs: most / (seconds * 1000), at: elapsed() }
    },
  }
}
