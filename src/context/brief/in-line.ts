/** A text of a record within a line of Markdown: it makes no citation, no link, no markup and no line of its own. */

export function inLine(text: string): string {
  // so that every run of backticks is one long, and code begins and ends here where Markdown has it
  const parts = oneLine(text).replace(/``+/g, "'").split(code)
  return withoutBlock(parts.map((part, at) => (at % 2 === 1 ? part : escaped(part))).join(''))
}

const code = /(`[^`]+`)/

/** What else than a letter a terminal or a reader of Markdown would act on. */
export function oneLine(text: string): string {
  return text
    .replace(invisible, '')
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
}

/**
 * Characters that a person doesn't see and a model reads: they can hide instructions or turn the direction of what
 * follows. The zero-width joiner (U+200D) and the two selectors of emoji style stay, because texts are written with them.
 */
export const invisible = /(?!\u200d)\p{Cf}|(?!\ufe0e|\ufe0f)\p{Variation_Selector}/gu

/** Signs that its writer had escaped are escaped once. A number in brackets cites: only a brief does that. */
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
    // emphasis opens and closes beside a word, an underscore only at its ends
    /\*(?!\s)|(?<!\s)\*/,
    /(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/u,
    /~(?=~)|(?<=~)~/,
    // an entity
    /&(?=#?\w+;)/,
    // it would escape what stands behind it
    /\\(?=[!-/:-@[-`{-~]|$)/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'gu',
)

/** At the beginning of a line it would be a heading, an item, a rule, a fence or a table. */
function withoutBlock(line: string): string {
  return line.replace(/^(?:[-+*=:|](?![\p{L}\p{N}])|#+(?=\s|$))/u, '\\$&').replace(/^(\d{1,9})([.)])(?=\s|$)/, '$1\\$2')
}
