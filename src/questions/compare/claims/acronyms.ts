/** Replaces spelled-out terms by their acronym if the other text uses it: “recovery point objective” becomes “RPO”. */
import { LRUCache } from 'lru-cache'

const small = '(?:of|to|for|and|the|in|on)'

/** UTF-16 units. A longer text has too many acronyms to search for each of them in every other text. */
const longestText = 1_500

/** `text` with each term replaced for which `other` has an acronym. */
export function withAcronymsOf(other: string, text: string): string {
  if (other.length > longestText || text.length > longestText) return text
  let read = text
  for (const acronym of new Set(other.match(acronyms) ?? [])) {
    if (!text.includes(acronym)) read = read.replace(spelled(acronym), acronym)
  }
  return read
}
const acronyms = /(?<![\p{L}\p{N}])\p{Lu}{2,5}(?![\p{L}\p{N}])/gu

/** Small words may have a letter of their own, as “to” in MTTR (mean time to recovery), or none. */
function spelled(acronym: string): RegExp {
  const known = patterns.get(acronym)
  if (known) return known
  const words = [...acronym.toLowerCase()].map((letter) => `${letter}\\p{L}+`).join(`[ -](?:${small} )?`)
  const pattern = new RegExp(`(?<![\\p{L}\\p{N}])${words}(?![\\p{L}\\p{N}])`, 'giu')
  patterns.set(acronym, pattern)
  return pattern
}
const patterns = new LRUCache<string, RegExp>({ max: 1_000 })
