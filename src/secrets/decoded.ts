/** Removes escapes that may hide a credential: those of JSON, urls and HTML, and invisible characters. */

/** Of urls only printable ASCII: `%DB_PASS%` is a variable. */
const escapes =
  /\\{1,16}(?:[nrt"'/]|u[\da-fA-F]{4})|%(?:[2-7][\da-fA-F]|0[9aAdD])|&(?:amp|lt|gt|quot|apos|nbsp|#\d{1,7}|#[xX][\da-fA-F]{1,6});|\p{Cf}/u
const allEscapes = new RegExp(escapes, 'gu')

export const hasEscapes = (text: string): boolean => escapes.test(text)

/** Decodes once. Keeps all line breaks and adds none, so line numbers stay the same. */
export function decoded(text: string): string {
  return text.replace(allEscapes, (found) => withoutBreaks(characterOf(found)))
}

function withoutBreaks(character: string): string {
  return character === '\n' || character === '\r' ? ' ' : character
}

const named: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' }
const control: Record<string, string> = { n: ' ', r: ' ', t: ' ' }

function characterOf(found: string): string {
  if (found.startsWith('%')) return String.fromCharCode(Number.parseInt(found.slice(1), 16))
  if (found.startsWith('&#')) return ofCode(found.slice(2, -1))
  if (found.startsWith('&')) return named[found.slice(1, -1)] ?? found
  if (found.startsWith('\\')) return ofBackslash(found.replace(/^\\+/, ''))
  return '' // invisible
}

/** One backslash for each time the text was encoded as JSON. All are removed at once. */
function ofBackslash(rest: string): string {
  if (rest.startsWith('u')) return String.fromCharCode(Number.parseInt(rest.slice(1), 16))
  return control[rest] ?? rest
}

const lastCodePoint = 0x10ffff

function ofCode(digits: string): string {
  const code = /^x/i.test(digits) ? Number.parseInt(digits.slice(1), 16) : Number(digits)
  return code <= lastCodePoint ? String.fromCodePoint(code) : ' '
}
