/** An instant as its milliseconds since 1970: a quarter of the length of its ISO form, and in the same order. */
import assert from 'node:assert/strict'

/** Most instants of a moment are alike, and are asked for in turn. */
const mostKept = 2000
const encoded = new Map<string, number>()
const decoded = new Map<number, string>()

/** `text` is as Date.toISOString writes it. */
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
