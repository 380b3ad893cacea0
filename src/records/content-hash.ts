/** Tells whether two contents say the same in the same words: case, spacing and Unicode form do not count. */
import { hash } from 'node:crypto'

export function normalisedHash(parts: readonly string[]): string {
  const normal = parts.map((part) => part.normalize('NFKC').toLowerCase().replace(/\s+/gu, ' ').trim())
  return hash('sha256', JSON.stringify(normal))
}

/** Byte for byte the same. */
export function exactHash(text: string): string {
  return hash('sha256', text)
}
