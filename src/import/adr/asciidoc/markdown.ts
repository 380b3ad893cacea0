/** Translates AsciiDoc to Markdown. Nothing is fetched or included: lines that include other files are left out. */
// @ts-expect-error the package has no types
import downdoc from 'downdoc'
import type { Translated } from '../format.ts'
import { headerFields } from './header.ts'
import { withSourceLines } from './lines.ts'

const translate: (asciidoc: string) => string = downdoc

/** Throws if the parser does. A hostile text may take it very long. */
export function fromAsciidoc(text: string): Translated {
  const source = text.replace(/\r\n?/g, '\n').split('\n')
  const written = tidied(translate(withoutBrokenTables(source).join('\n'))).split('\n')
  const lines = withSourceLines(written, source)
  const fields = headerFields(source).map(({ label, value, line }) => ({ text: `* ${label}: ${value}`, from: line }))
  const belowTitle = written.findIndex((line) => /^# /.test(line)) + 1
  lines.splice(belowTitle, 0, ...(fields.length === 0 ? [] : [{ text: '', from: 1 }]), ...fields)
  return {
    markdown: lines.map(({ text }) => `${text}\n`).join(''),
    lines: lines.map(({ from }) => from),
    labels: [],
  }
}

/** The parser never ends on a table whose first line has no cell, such as a table of CSV. It becomes a block of plain text. */
function withoutBrokenTables(source: readonly string[]): string[] {
  let isPlain: boolean | undefined
  return source.map((line, at) => {
    if (line !== '|===') return line
    const isOpening = isPlain === undefined
    if (isOpening) {
      const first = source.slice(at + 1, at + 1 + mostAboveCells).find((one) => one.trim() !== '' && !/^\/\//.test(one))
      isPlain = first === undefined || !beginsCell.test(first)
    }
    const written = isPlain ? '....' : line
    if (!isOpening) isPlain = undefined
    return written
  })
}

/** The most blank lines and comments between the mark of a table and its first cell. */
const mostAboveCells = 20
const beginsCell = /^[\d.+*<^>]{0,10}[a-z]?\|/

/** Without the HTML and the signs that downdoc adds for web pages. */
function tidied(markdown: string): string {
  return (
    markdown
      // `Status:: accepted` was translated to two lines
      .replace(/^( *\* \*\*[^*\n]{1,100})\*\*\\\n */gm, '$1:** ')
      // `NOTE: …`, and `[NOTE]` above a block
      .replace(/^( *)\*\*\P{L}{1,4} ([A-Z]+)\*\*\\\n/gmu, '$1**$2:** ')
      .replace(/^( *)<dl><dt><strong>\P{L}{1,4} ([A-Z]+)[^<\n]*<\/strong><\/dt><dd>$/gmu, '$1**$2:**')
      .replace(/^( *)<summary>(.*)<\/summary>$/gm, '$1**$2**')
      .replace(/^ *(?:<\/dd><\/dl>|<\/?details[^>\n]*>)$/gm, '')
      .replace(/<a name="[^"\n]{0,200}"><\/a>/g, '')
  )
}
