/** Keeps what was read from a text: the same records are read for many briefs. */
import { LRUCache } from 'lru-cache'

/** `most`: how many texts are kept. The one that was not used for the longest time is dropped first. */
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
