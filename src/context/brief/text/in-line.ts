/** Escapes a text of a record for a line of Markdown, so that it creates no citation, link, markup or new line. */

export function inLine(text: string): string {
  // leave only single backticks, so that code spans begin and end here where Markdown sees them
  const parts = oneLine(text).replace(/``+/g, "'").split(code)
  return withoutBlock(parts.map((part, at) => (at % 2 === 1 ? part : escaped(part))).join(''))
}

const code = /(`[^`]+`)/

/** Removes invisible characters and control characters, and joins lines. */
export function oneLine(text: string): string {
  // most texts have nothing but ASCII, where no character is invisible, and single spaces, which stay
  if (ascii.test(text)) return text.replace(/[^\S ]\s*| \s+/g, ' ').trim()
  return text
    .replace(invisible, '')
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
}

/** Without control characters, except those that are white space. */
const ascii = /^[\t\n\v\f\r\x20-\x7e]*$/

/** Several lines: without invisible characters, and with a space for each control character that is no line or tab. */
export function printable(text: string): string {
  if (printableAscii.test(text)) return text
  return text
    .replace(/\r\n?/g, '\n')
    .replace(invisible, '')
    .replace(/(?![\n\t])\p{Cc}/gu, ' ')
}

const printableAscii = /^[\t\n\x20-\x7e]*$/

/**
 * Characters that a model reads and a person doesn't see: they can hide instructions or reverse the direction of text.
 * Legitimate texts need the zero-width joiner (U+200D) and the two selectors of emoji style, so these are left. Not all
 * such characters are format characters: the fillers of Hangul are letters, and some are not assigned yet.
 */
export const invisible = /(?!\u200d|\ufe0e|\ufe0f)[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu

/**
 * Escapes each sign once, even if the text has escaped it already. `[3]` becomes `(3)`: only the brief itself may cite.
 */
function escaped(part: string): string {
  return part
    .replace(/\\([!-/:-@[-`{-~])/g, '$1')
    .replace(/`/g, "'")
    .replace(/\[\s*(\d+)\s*\]/g, '($1)')
    .replace(signs, '\\$&')
}

const signs = new RegExp(
  [
    /[[\]<>]/,
    // emphasis opens and closes next to a word; an underscore only at the ends of a word
    /\*(?!\s)|(?<!\s)\*/,
    /(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/u,
    /~(?=~)|(?<=~)~/,
    // a character reference such as &amp;
    /&(?=#?\w+;)/,
    // a backslash that would escape the next character
    /\\(?=[!-/:-@[-`{-~]|$)/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'gu',
)

/** Escapes signs that begin a heading, list item, rule, fence or table at the start of a line. */
function withoutBlock(line: string): string {
  return line.replace(/^(?:[-+*=:|](?![\p{L}\p{N}])|#+(?=\s|$))/u, '\\$&').replace(/^(\d{1,9})([.)])(?=\s|$)/, '$1\\$2')
}
