/** Caches look-ups by key and adds the changes of the entry being built. The store is asked once for each key. */

/** Limit of a look-up. No external_id, content hash or target has more rows in its audiences. */
export const mostRows = 10_000

/** At most `mostRows` for each key. */
export function lookupCache<T extends object>() {
  const loaded = new Map<string, Set<T>>()
  const added = new Map<string, Set<T>>()
  const union = (key: string, stored: Iterable<T>) => {
    const all = new Set(stored)
    for (const one of added.get(key) ?? []) all.add(one)
    return all
  }
  return {
    async get(key: string, load: () => Promise<T[]>): Promise<T[]> {
      const known = loaded.get(key)
      if (known) return [...known]
      const all = union(key, await load())
      loaded.set(key, all)
      return [...all]
    },
    async fill(keys: string[], load: () => Promise<T[]>, keyOf: (one: T) => string): Promise<void> {
      const missing = keys.filter((key) => !loaded.has(key))
      if (missing.length === 0) return
      const found = await load()
      // the result may be cut off, so a key without rows may still have some: look these keys up one by one
      if (found.length >= mostRows) return
      const groups = new Map<string, T[]>(missing.map((key) => [key, []]))
      for (const one of found) groups.get(keyOf(one))?.push(one)
      for (const [key, group] of groups) loaded.set(key, union(key, group))
    },
    add(key: string, one: T, complete = false): void {
      const known = loaded.get(key)
      if (known) known.add(one)
      else if (complete) loaded.set(key, new Set([one]))
      else {
        const some = added.get(key) ?? new Set<T>()
        some.add(one)
        added.set(key, some)
      }
    },
  }
}
