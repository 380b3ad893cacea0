/**
 * What both search engines keep of a document's tokens, so that it is ranked without tokenising its text again: one
 * string. Terms hold no blank and no `=`.
 */

/** Distinct terms, each followed by ` =n` where it is there n > 1 times. */
export function termsText(frequencies: ReadonlyMap<string, number>): string {
  const parts = ['']
  for (const [term, n] of frequencies) {
    parts.push(term)
    if (n > 1) parts.push(`=${n}`)
  }
  parts.push('')
  // joined at once: a string that grows piece by piece is copied once more when SQLite takes it
  return parts.join(' ')
}

/** How often an encoded term is in that text. */
export function frequencyIn(terms: string, encoded: string): number {
  const at = terms.indexOf(` ${encoded} `)
  if (at < 0) return 0
  const end = at + encoded.length + 2
  return terms.charCodeAt(end) === 61 ? Number.parseInt(terms.slice(end + 1, end + 12), 10) : 1
}
