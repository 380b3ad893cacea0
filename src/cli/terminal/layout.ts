/** Wraps and styles text for a terminal. */
import { styleText } from 'node:util'
import stringWidth from 'string-width'
import type { Terminal } from './terminal.ts'

export interface Layout {
  /** Wraps each line of `text`. `first` is put before the first line, `rest` before all others. */
  wrap(text: string, first?: string, rest?: string): string
  strong(text: string): string
  faint(text: string): string
}

export function layoutOn({ width, isStyled }: Pick<Terminal, 'width' | 'isStyled'>): Layout {
  // isStyled tells what the stream can do
  const styled = (style: 'bold' | 'dim') => (text: string) =>
    isStyled ? styleText(style, text, { validateStream: false }) : text
  return {
    wrap(text, first = '', rest = first) {
      const lines = text.split('\n').flatMap((line, at) => linesOf(line, width, at === 0 ? first : rest, rest))
      return lines.map((line) => line.trimEnd()).join('\n')
    },
    strong: styled('bold'),
    faint: styled('dim'),
  }
}

function linesOf(text: string, width: number | undefined, first: string, rest: string): string[] {
  if (width === undefined) return [first + text]
  const lines: string[] = []
  let line = first
  let isEmpty = true
  for (const [piece] of text.replace(/\t/g, ' ').matchAll(pieces)) {
    // never break inside a word: a URL or an id must stay whole, so that it can be copied
    if (!isEmpty && stringWidth(line) + stringWidth(piece) > width) {
      lines.push(line)
      line = rest + piece.trimStart()
    } else line += isEmpty ? piece.trimStart() : piece
    isEmpty = false
  }
  return [...lines, line]
}

/**
 * A word, or a character of a script without spaces, with the blanks before it. A library for wrapping breaks either all
 * long words or none.
 */
const pieces = / *(?:[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}]|[^ \p{scx=Han}\p{scx=Hira}\p{scx=Kana}]+)/gu
