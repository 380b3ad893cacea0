/** One text has “RPO”, the other “recovery point objective”: the second is read as the first. */

const small = '(?:of|to|for|and|the|in|on)'

/** In a longer text they are too many to look for in each other text. */
const longestText = 1_500

/** `text` with what `other` has acronyms for in their place. */
export function withAcronymsOf(other: string, text: string): string {
  if (other.length > longestText || text.length > longestText) return text
  let read = text
  for (const acronym of new Set(other.match(acronyms) ?? [])) {
    if (!text.includes(acronym)) read = read.replace(spelled(acronym), acronym)
  }
  return read
}
const acronyms = /(?<![\p{L}\p{N}])\p{Lu}{2,5}(?![\p{L}\p{N}])/gu

/** MTTR is the mean time to recovery: a small word may have a letter or none. */
function spelled(acronym: string): RegExp {
  const known = patterns.get(acronym)
  if (known) return known
  const words = [...acronym.toLowerCase()].map((letter) => `${letter}\\p{L}+`).join(`[ -](?:${small} )?`)
  const pattern = new RegExp(`(?<![\\p{L}\\p{N}])${words}(?![\\p{L}\\p{N}])`, 'giu')
  if (patterns.size >= mostPatterns) patterns.clear()
  patterns.set(acronym, pattern)
  return pattern
}
/** When full, it begins anew. */
const patterns = new Map<string, RegExp>()
const mostPatterns = 1_000
