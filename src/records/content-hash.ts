/** Tells whether two contents say the same in the same words: case, spacing and Unicode form do not count. */
import { createHash } from 'node:crypto'

export function normalisedHash(parts: readonly string[]): string {
  const normal = parts.map((part) => part.normalize('NFKC').toLowerCase().replace(/\s+/gu, ' ').trim())
  return createHash('sha256').update(JSON.stringify(normal)).digest('hex')
}

/** Byte for byte the same. */
export function exactHash(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
