/** Stores an instant as milliseconds since 1970: a quarter of the size of the ISO format, with the same order. */
import assert from 'node:assert/strict'

/**
 * At any time most instants are similar, and used several times in a row. Plain maps, because each row needs several: a
 * look-up in an LRUCache takes 10 ns longer.
 */
const mostKept = 2000
const encoded = new Map<string, number>()
const decoded = new Map<number, string>()

/** `text` must be in the format of Date.toISOString. */
export function encodeInstant(text: string): number {
  const kept = encoded.get(text)
  if (kept !== undefined) return kept
  const ms = Date.parse(text)
  assert(!Number.isNaN(ms) && new Date(ms).toISOString() === text, `${text} is no instant as toISOString writes it`)
  keep(ms, text)
  return ms
}

export function decodeInstant(ms: number): string {
  const kept = decoded.get(ms)
  if (kept !== undefined) return kept
  const text = new Date(ms).toISOString()
  keep(ms, text)
  return text
}

function keep(ms: number, text: string): void {
  if (encoded.size >= mostKept) {
    encoded.clear()
    decoded.clear()
  }
  encoded.set(text, ms)
  decoded.set(ms, text)
}
