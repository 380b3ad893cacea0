/**
 * The parts of names from code: `parseHTTPResponse` has parse, http and response, `utf8` has utf and 8. Case is lost before
 * words are looked at, so a sign that no text holds marks where it changes.
 */

export const caseMark = '\ue0fe'

/** A change of case inside a word, or the sign itself. */
export const changesCase = /[a-z\d][A-Z]|[A-Z]{2}[a-z]{2}|\ue0fe/

/** The text with a mark before each part of a name. Accented letters change nothing: names from code have none. */
export function markedCase(text: string): string {
  return text.replaceAll(caseMark, ' ').replace(caseChange, caseMark)
}
const caseChange = /(?<=[a-z\d])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z]{2})/g

/** Whether a folded word may have parts. */
export function isName(word: string): boolean {
  return word.includes(caseMark) || lettersAndDigits.test(word)
}
const lettersAndDigits = /^(?:[a-z]+\d|\d[\d.]*[a-z])/

export function withoutMarks(word: string): string {
  return word.replaceAll(caseMark, '')
}

/** Longer names are made by machines, and so are names of more parts. */
const longestName = 64
const mostParts = 8

/** Without parts of one letter. */
export function partsOf(word: string): string[] {
  if (word.length > longestName) return []
  const byCase = word.split(caseMark)
  const whole = byCase.join('')
  const pieces = piecesOf(whole)
  const parts = new Set([...(pieces.length > 1 ? pieces : []), ...(byCase.length > 1 ? byCase.flatMap(piecesOf) : [])])
  parts.delete(whole)
  return parts.size > mostParts ? [] : [...parts]
}

/** Letters and digits apart. None for `v1`, `k8s` and `4e8a00`: what is left of them says too little. */
function piecesOf(part: string): string[] {
  const pieces = part.match(/[a-z]+|\d+(?:\.\d+)*|[^a-z\d]+/g) ?? []
  if (pieces.length > 3) return []
  const kept = pieces.filter((piece) => /\d/.test(piece) || piece.length > 1)
  const tells = kept.some((piece) => !/\d/.test(piece)) || (pieces.length === 2 && /^\d/.test(part))
  return tells ? kept : []
}
