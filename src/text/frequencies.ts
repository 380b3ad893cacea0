/**
 * The term frequencies of a document as one string, stored by both search engines, so that ranking need not tokenise
 * the text again. Terms contain no space and no `=`.
 */

/** Distinct terms, each followed by ` =n` if it occurs n > 1 times. */
export function termsText(frequencies: ReadonlyMap<string, number>): string {
  const parts = ['']
  for (const [term, n] of frequencies) {
    parts.push(term)
    if (n > 1) parts.push(`=${n}`)
  }
  parts.push('')
  // join once: SQLite would have to flatten a string that was built by concatenation
  return parts.join(' ')
}

/** How often an encoded term occurs in the document of this string. */
export function frequencyIn(terms: string, encoded: string): number {
  const at = terms.indexOf(` ${encoded} `)
  if (at < 0) return 0
  const end = at + encoded.length + 2
  return terms.charCodeAt(end) === 61 ? Number.parseInt(terms.slice(end + 1, end + 12), 10) : 1
}
