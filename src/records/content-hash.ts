/** Tells whether two contents say the same in the same words: case, spacing and Unicode form do not count. */
import { hash } from 'node:crypto'

/** Characters of a hash: 132 bits. It is a key of an index, and stands beside every record. */
const kept = 22

export function normalisedHash(parts: readonly string[]): string {
  const normal = parts.map((part) => part.normalize('NFKC').toLowerCase().replace(/\s+/gu, ' ').trim())
  return hash('sha256', JSON.stringify(normal), 'base64url').slice(0, kept)
}

/** Byte for byte the same. */
export function exactHash(text: string): string {
  return hash('sha256', text, 'base64url').slice(0, kept)
}
