/**
 * Warm briefs of one process (PROTOCOL 5). The key holds the sequence of the newest change that the caller sees, so that
 * a write which the caller sees makes the next brief a new one, and one that is hidden does not.
 */
import type { Reads } from '../../operation.ts'

/** At most this long, in ms. */
export const mostAge = 60_000
/** Of all workspaces together; those asked for longest ago go first. Bytes are about those in memory. */
const mostEntries = 500
const mostBytes = 16 * 1024 * 1024
/** Made at once for those who ask meanwhile; beyond it each makes its own. */
const mostUnderWay = 100

export interface Made<T> {
  answer: T
  /** From this instant on it is not handed out any more; milliseconds since the epoch. */
  until: number
  /** It may be more in a moment: for those alone who asked while it was made. */
  passing: boolean
}

export interface BriefCache<T> {
  /** The one that is kept; else what `make` makes, once for all who ask meanwhile. */
  get(key: string, now: number, make: () => Promise<Made<T>>): Promise<T>
}

export function briefCache<T>({ entries = mostEntries, bytes: room = mostBytes } = {}): BriefCache<T> {
  // in the order of their last use: the first is the one that goes
  const kept = new Map<string, Made<T> & { bytes: number }>()
  const underWay = new Map<string, Promise<Made<T>>>()
  let bytes = 0

  function forget(key: string): void {
    bytes -= kept.get(key)?.bytes ?? 0
    kept.delete(key)
  }

  function keep(key: string, made: Made<T>, size: number): void {
    forget(key)
    if (size > room) return
    kept.set(key, { ...made, bytes: size })
    bytes += size
    for (const oldest of kept.keys()) {
      if (kept.size <= entries && bytes <= room) return
      forget(oldest)
    }
  }

  async function madeOnce(key: string, make: () => Promise<Made<T>>): Promise<Made<T>> {
    if (underWay.size >= mostUnderWay) return make()
    const making = make()
    underWay.set(key, making)
    try {
      return await making
    } finally {
      if (underWay.get(key) === making) underWay.delete(key)
    }
  }

  return {
    async get(key, now, make) {
      const known = kept.get(key)
      if (known && now < known.until) {
        keep(key, known, known.bytes)
        return known.answer
      }
      const making = underWay.get(key)
      if (making) {
        const shared = await making
        // begun by someone before: what is to change by now is made anew
        if (now < shared.until) return shared.answer
      }
      const made = await madeOnce(key, make)
      // two bytes a character, and half of that for what holds them together
      if (now < made.until && !made.passing) keep(key, made, 3 * (key.length + JSON.stringify(made.answer).length))
      return made.answer
    },
  }
}

const caches = new WeakMap<Reads, BriefCache<unknown>>()

/** The one of these reads: it lives as long as the service that they are of. */
export function cacheOf<T>(reads: Reads): BriefCache<T> {
  const known = caches.get(reads) ?? briefCache<unknown>()
  caches.set(reads, known)
  return known as BriefCache<T>
}
