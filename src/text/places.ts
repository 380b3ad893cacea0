/**
 * The distinct terms of a document with their places, as one string, stored by both search engines, so that ranking need
 * not tokenise the text again. Terms contain no space and do not begin with `@` or `=`.
 *
 * Each term is followed by ` @` and its places: the first one, then the distances of the others, in base 36 and separated
 * by dots. Indexes of older formats have ` =n` instead, if the term occurs n > 1 times.
 */

export function placesText(tokens: readonly string[]): string {
  const places = new Map<string, string>()
  const last = new Map<string, number>()
  for (const [at, token] of tokens.entries()) {
    const before = last.get(token)
    places.set(token, before === undefined ? at.toString(36) : `${places.get(token)}.${(at - before).toString(36)}`)
    last.set(token, at)
  }
  const parts = ['']
  for (const [term, list] of places) parts.push(term, `@${list}`)
  parts.push('')
  // join once: SQLite would have to flatten a string that was built by concatenation
  return parts.join(' ')
}

/** Of each encoded term. No places if the string has the form of older formats. */
export function countsIn(text: string, encoded: readonly string[]): { frequencies: number[]; places?: number[][] } {
  if (!text.includes('@')) return { frequencies: encoded.map((term) => frequencyIn(text, term)) }
  const places = encoded.map((term) => placesIn(text, term))
  return { frequencies: places.map(({ length }) => length), places }
}

/** Where the list of an encoded term begins (at `@` or `=`, or at another term); -1: the document lacks the term. */
function listOf(text: string, encoded: string): number {
  const wanted = `${encoded} `
  // searching for the space before the term too would stop at every space of the text
  let at = text.indexOf(wanted)
  while (at >= 0 && text.charCodeAt(at - 1) !== space) at = text.indexOf(wanted, at + 1)
  return at < 0 ? -1 : at + wanted.length
}

/** The terms of the document that begin so, encoded as they were given. */
export function termsBeginning(text: string, beginning: string): string[] {
  const terms: string[] = []
  const wanted = ` ${beginning}`
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + 1)) {
    terms.push(text.slice(at + 1, text.indexOf(' ', at + 1)))
  }
  return terms
}

/** How often an encoded term occurs in the document of this string. */
export function frequencyIn(text: string, encoded: string): number {
  let at = listOf(text, encoded)
  if (at < 0) return 0
  if (text.charCodeAt(at) === equals) return Number.parseInt(text.slice(at + 1, at + 12), 10)
  if (text.charCodeAt(at) !== sign) return 1
  let count = 1
  for (let unit = text.charCodeAt(++at); unit > space; unit = text.charCodeAt(++at)) if (unit === dot) count++
  return count
}

/** Ascending; 0 is the first token. Empty if the document lacks the term, or has the form of older formats. */
export function placesIn(text: string, encoded: string): number[] {
  let at = listOf(text, encoded)
  if (at < 0 || text.charCodeAt(at) !== sign) return []
  const places: number[] = []
  let place = 0
  let distance = 0
  for (;;) {
    const unit = text.charCodeAt(++at)
    if (unit > dot) {
      distance = distance * 36 + (unit < 58 ? unit - 48 : unit - 87)
      continue
    }
    place += distance
    places.push(place)
    distance = 0
    if (unit !== dot) return places
  }
}

const space = 32
const dot = 46
const equals = 61
const sign = 64
