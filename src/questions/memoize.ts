/** What is made of a text is kept for the newest texts: a record is held against many others. */

export interface Memoized<T> {
  /** Made where it is not known. */
  of(title: string, text: string): T
  isKnown(title: string, text: string): boolean
}

export function memoize<T>(most: number, make: (title: string, text: string) => T): Memoized<T> {
  const known = new Map<string, T>()
  const keyOf = (title: string, text: string) => `${title}\n${text}`
  return {
    of(title, text) {
      const key = keyOf(title, text)
      const before = known.get(key)
      if (before !== undefined) return before
      const made = make(title, text)
      if (known.size >= most) known.delete(known.keys().next().value as string)
      known.set(key, made)
      return made
    },
    isKnown: (title, text) => known.has(keyOf(title, text)),
  }
}
