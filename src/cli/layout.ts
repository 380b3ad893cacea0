/** Wraps and styles text for a terminal. */
import type { Terminal } from './terminal.ts'

export interface Layout {
  /** Wraps each line of `text`. `first` is put before the first line, `rest` before all others. */
  wrap(text: string, first?: string, rest?: string): string
  strong(text: string): string
  faint(text: string): string
}

export function layoutOn({ width, isStyled }: Pick<Terminal, 'width' | 'isStyled'>): Layout {
  const styled = (on: number, off: number) => (text: string) =>
    isStyled && text !== '' ? `\u001b[${on}m${text}\u001b[${off}m` : text
  return {
    wrap(text, first = '', rest = first) {
      const lines = text.split('\n').flatMap((line, at) => linesOf(line, width, at === 0 ? first : rest, rest))
      return lines.map((line) => line.trimEnd()).join('\n')
    },
    strong: styled(1, 22),
    faint: styled(2, 22),
  }
}

function linesOf(text: string, width: number | undefined, first: string, rest: string): string[] {
  if (width === undefined) return [first + text]
  const lines: string[] = []
  let line = first
  let isEmpty = true
  for (const [piece] of text.replace(/\t/g, ' ').matchAll(pieces)) {
    // never break inside a word: a URL or an id must stay whole, so that it can be copied
    if (!isEmpty && columnsOf(line) + columnsOf(piece) > width) {
      lines.push(line)
      line = rest + piece.trimStart()
    } else line += isEmpty ? piece.trimStart() : piece
    isEmpty = false
  }
  return [...lines, line]
}

/** Characters that take two columns. A line may end between two of them. */
const wide =
  '\\u1100-\\u115f\\u2e80-\\u303e\\u3041-\\ua4cf\\uac00-\\ud7a3\\uf900-\\ufaff\\ufe30-\\ufe6f\\uff00-\\uff60\\uffe0-\\uffe6\\u{1f300}-\\u{1f64f}\\u{1f680}-\\u{1f6ff}\\u{1f900}-\\u{1f9ff}\\u{20000}-\\u{3fffd}'
/** A word or a wide character, with the blanks before it. */
const pieces = new RegExp(` *(?:[${wide}]|[^ ${wide}]+)`, 'gu')
const isWide = new RegExp(`[${wide}]`, 'u')
/** Matches what takes no column: our style sequences, and combining characters. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: style sequences begin with one
const zeroWidth = /\u001b\[\d+m|[\p{Mark}\p{Format}]/gu

/** The number of columns that the text takes on a terminal. */
export function columnsOf(text: string): number {
  let columns = 0
  for (const character of text.replace(zeroWidth, '')) columns += isWide.test(character) ? 2 : 1
  return columns
}
