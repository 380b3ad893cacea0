/** Caches what is computed from a text, because each record is compared with many others. */
import { LRUCache } from 'lru-cache'

export interface Memoized<T> {
  get(title: string, text: string): T
  has(title: string, text: string): boolean
}

export function memoize<T extends object>(most: number, make: (title: string, text: string) => T): Memoized<T> {
  const known = new LRUCache<string, T>({ max: most })
  const keyOf = (title: string, text: string) => `${title}\n${text}`
  return {
    get(title, text) {
      const key = keyOf(title, text)
      const before = known.get(key)
      if (before !== undefined) return before
      const made = make(title, text)
      known.set(key, made)
      return made
    },
    has: (title, text) => known.has(keyOf(title, text)),
  }
}
