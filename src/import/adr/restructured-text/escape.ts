/** Keeps plain text from being read as Markdown. Escapes only what would change the meaning, because people read it. */

const isWordCharacter = (character: string | undefined) => character !== undefined && /[\p{L}\p{N}]/u.test(character)
const isSpace = (character: string | undefined) => character === undefined || /\s/.test(character)

/** Text within a line. */
export function escaped(text: string): string {
  return text.replace(/[\\*_`<&\]]|~~/g, (mark, at: number) => {
    const before = text[at - 1]
    const after = text[at + mark.length]
    return isMarkup(mark, before, after, text.slice(at + 1, at + 40)) ? `\\${mark[0]}${mark.slice(1)}` : mark
  })
}

function isMarkup(mark: string, before: string | undefined, after: string | undefined, rest: string): boolean {
  switch (mark) {
    case '`':
    case '~~':
      return true
    case '\\':
      return after === undefined || after === '\n' || /[!-/:-@[-`{-~]/.test(after)
    case '*':
      return !(isSpace(before) && isSpace(after))
    case '_':
      return !(isSpace(before) && isSpace(after)) && !(isWordCharacter(before) && isWordCharacter(after))
    case '<':
      return /^[a-z/!?]/i.test(rest)
    case '&':
      return /^(?:#\w{1,8}|\w{1,31});/.test(rest)
    default:
      // `](` or `]:` would make a link
      return after === '(' || after === '[' || after === ':'
  }
}

/**
 * A line of a paragraph, which must not begin a heading, a quote, code, a rule or front matter. Marks of lists stay: the
 * parser takes them as text only if the list has a mistake, and the author meant a list.
 */
export function escapedStart(line: string): string {
  return line.replace(
    /^(?:#{1,6}(?=\s|$)|>|~{3}|;{3}|\+{3}|-{2,}(?=\s*$)|={1,}(?=\s*$)|\|(?=[\s|:-]*$)|[*_-](?=(?:\s*[*_-]){2,}\s*$))/,
    (mark) => `\\${mark}`,
  )
}

/** A line that the author has kept from beginning a list: `1\. ` or `\- `. */
export function withoutListMark(line: string): string {
  return line.replace(/^(?:(\d{1,9})([.)])|([-+*]))(?=\s|$)/, (_, digits = '', dot = '', bullet = '') => {
    return `${digits}\\${dot}${bullet}`
  })
}

/** `` `code` ``, with more backticks if the code contains some. */
export function codeSpan(code: string): string {
  const text = code.replace(/\s*\n\s*/g, ' ')
  if (text.trim() === '') return text
  const longest = Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length))
  const fence = '`'.repeat(longest + 1)
  const pad = text.startsWith('`') || text.endsWith('`') ? ' ' : ''
  return `${fence}${pad}${text}${pad}${fence}`
}

/** `text`: Markdown. A URL in a link must have neither spaces nor unpaired brackets. */
export function link(text: string, url: string): string {
  const target = url.replace(/\s+/g, '%20').replace(/[<>()\\]/g, (mark) => `%${mark.charCodeAt(0).toString(16)}`)
  return `[${text.replace(/\s*\n\s*/g, ' ')}](${target})`
}
