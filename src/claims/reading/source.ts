/** What is read of a record, and how long it is kept. */
import { LRUCache } from 'lru-cache'
import { oncePer } from './once-per.ts'

export interface Source {
  /** Empty if it is only the beginning of the text. */
  title: string
  text: string
}

/** UTF-16 units read of one text. */
export const mostRead = 4_000

/**
 * Keeps what was read of a source, because each record is compared with many others. `most`: how many are kept. `read` gets
 * the part of the text that is read.
 */
export function oncePerSource<Result extends object>(
  most: number,
  read: (source: Source) => Result,
): (source: Source) => Result {
  const known = new LRUCache<string, Result>({ max: most })
  // comparing asks for the same object again and again
  return oncePer(({ title, text: whole }: Source) => {
    const text = whole.slice(0, mostRead)
    const key = `${title}\n${text}`
    const found = known.get(key) ?? read({ title, text })
    known.set(key, found)
    return found
  })
}
