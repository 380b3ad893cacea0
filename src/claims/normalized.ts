/** Whether two claims are the same words, ignoring case, spaces and punctuation. */

/** The claim as it is compared with others. */
export function normalized(text: string): string {
  return (
    text
      .toLowerCase()
      .replace(/[^\p{L}\p{N}?%€$£.]+/gu, ' ')
      // the lookbehind keeps a long run of dots within the text from taking quadratic time
      .replace(/^[ .]+|(?<![ .])[ .]+$/g, '')
  )
}

/** Whether the claim is the whole text. */
export function isAllOf(claim: string, text: string): boolean {
  const letters = normalized(claim)
  // most texts are much longer: this avoids normalising all of a long one
  return !hasMoreLetters(text, letters.length) && letters === normalized(text)
}

function hasMoreLetters(text: string, most: number): boolean {
  let letters = 0
  for (const _ of text.matchAll(/[\p{L}\p{N}]/gu)) if (++letters > most) return true
  return false
}
