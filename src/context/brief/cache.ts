/**
 * Cache of the briefs of one process (PROTOCOL 5). The key contains the sequence of the newest change that the caller
 * sees: a visible write makes the next brief a new one, a hidden write does not.
 */
import { LRUCache } from 'lru-cache'
import type { Reads } from '../../operation.ts'

/** ms that a brief is cached at most. */
export const mostAge = 60_000
/** Bounds for all workspaces together, evicting the least recently used first. Bytes approximate memory use. */
const mostEntries = 500
const mostBytes = 16 * 1024 * 1024
/** The most briefs under construction that callers can share. If there are more, each caller makes its own. */
const mostUnderWay = 100

export interface Made<T> {
  answer: T
  /** When it expires, in milliseconds since the epoch. */
  until: number
  /** It may soon be more complete: not cached, only shared with callers that asked while it was made. */
  passing: boolean
}

export interface BriefCache<T> {
  /** The cached answer, else the result of `make`, which concurrent callers of a key share. */
  get(key: string, now: number, make: () => Promise<Made<T>>): Promise<T>
}

export function briefCache<T>({ entries = mostEntries, bytes = mostBytes } = {}): BriefCache<T> {
  const kept = new LRUCache<string, Made<T>>({ max: entries, maxSize: bytes, sizeCalculation: bytesOf })
  const underWay = new Map<string, Promise<Made<T>>>()

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
      if (known && now < known.until) return known.answer
      const making = underWay.get(key)
      if (making) {
        const shared = await making
        // it was begun earlier and may have expired for this caller
        if (now < shared.until) return shared.answer
      }
      const made = await madeOnce(key, make)
      if (now < made.until && !made.passing) kept.set(key, made)
      return made.answer
    },
  }
}

/** Two bytes a character, and half as much for object overhead. */
function bytesOf({ answer }: Made<unknown>, key: string): number {
  return 3 * (key.length + JSON.stringify(answer).length)
}

const caches = new WeakMap<Reads, BriefCache<unknown>>()

/** The cache of one service; it lives as long as its `Reads`. */
export function cacheOf<T>(reads: Reads): BriefCache<T> {
  const known = caches.get(reads) ?? briefCache<unknown>()
  caches.set(reads, known)
  return known as BriefCache<T>
}
