/**
 * Keeps calls below the rate limit of the service, which each answer tells (RateLimit, RateLimit-Policy): so that work
 * of thousands of calls is slowed down, but never refused.
 */
export interface Pace {
  /** ms to wait before the next call; 0 counts it as made. */
  next(): number
  /** What an answer says. */
  heard(headers: Headers): void
}

/** Calls that are left to others with the same key, at most: they are told of the limit only by their own answers. */
const mostLeft = 50
/** Of the whole allowance, where that is small. */
const partLeft = 0.25

interface Allowance {
  /** Calls. */
  most: number
  left: number
  perMs: number
  /** ms, when so many were left. */
  at: number
}

/** `elapsed`: ms of a clock that never goes back. */
export function paceOf(elapsed: () => number): Pace {
  let told: Allowance | undefined
  return {
    next() {
      if (told === undefined) return 0
      const now = elapsed()
      told.left = Math.min(told.most, told.left + (now - told.at) * told.perMs)
      told.at = now
      const missing = Math.min(mostLeft, told.most * partLeft) + 1 - told.left
      if (missing > 0) return Math.ceil(missing / told.perMs)
      told.left -= 1
      return 0
    },
    heard(headers) {
      const policy = /^"requests";q=(\d+);w=(\d+)$/.exec(headers.get('ratelimit-policy') ?? '')
      const now = /^"requests";r=(\d+);/.exec(headers.get('ratelimit') ?? '')
      if (!policy || !now) return
      const [most, seconds] = [Number(policy[1]), Number(policy[2])]
      told = { most, left: Number(now[1]), perMs: most / (seconds * 1000), at: elapsed() }
    },
  }
}
