/** ms. */
export interface Pauses {
  first: number
  longest: number
  /** The other side asked for this pause instead (Retry-After). */
  asked?: number | undefined
}

/**
 * ms until the next attempt after `failures` failures in a row (1 or more). Doubles from `first` to `longest`. Up to a
 * quarter is added at random, so that callers which failed at the same time do not retry at the same time.
 */
export function backOff(failures: number, { first, longest, asked }: Pauses, random = Math.random): number {
  return (asked ?? Math.min(longest, first * 2 ** (failures - 1))) * (1 + random() / 4)
}

/** Converts Retry-After, which is in seconds or a date, to ms from now, within bounds. undefined: missing or invalid. */
export function retryAfterOf(header: string | null, { least, most }: { least: number; most: number }) {
  const text = header?.trim() ?? ''
  const ms = /^\d{1,9}$/.test(text) ? Number(text) * 1000 : Date.parse(text) - Date.now()
  return Number.isNaN(ms) ? undefined : Math.min(most, Math.max(least, ms))
}
