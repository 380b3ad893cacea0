/** Keeps what was read from a text: the same records are read for many briefs. */
import { LRUCache } from 'lru-cache'

/** `most`: texts kept, those used last. */
export function oncePerText<Result extends object>(
  most: number,
  read: (text: string) => Result,
): (text: string) => Result {
  const known = new LRUCache<string, Result>({ max: most })
  return (text) => {
    const found = known.get(text) ?? read(text)
    known.set(text, found)
    return found
  }
}
