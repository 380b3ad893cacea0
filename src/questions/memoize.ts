/** Caches what is computed from a text, because each record is compared with many others. Evicts the oldest entry. */

export interface Memoized<T> {
  get(title: string, text: string): T
  has(title: string, text: string): boolean
}

export function memoize<T>(most: number, make: (title: string, text: string) => T): Memoized<T> {
  const known = new Map<string, T>()
  const keyOf = (title: string, text: string) => `${title}\n${text}`
  return {
    get(title, text) {
      const key = keyOf(title, text)
      const before = known.get(key)
      if (before !== undefined) return before
      const made = make(title, text)
      if (known.size >= most) known.delete(known.keys().next().value as string)
      known.set(key, made)
      return made
    },
    has: (title, text) => known.has(keyOf(title, text)),
  }
}
