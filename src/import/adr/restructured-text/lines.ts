/** Lines of Markdown that know where they come from. */
import type { RstNode, RstSection } from 'rst-compiler'

/** `from`: the line of the source, counted from 0. */
export interface Line {
  text: string
  from: number
}

/** What the printers of blocks and tables share. */
export interface Printer {
  blocks(nodes: readonly RstNode[]): Line[]
  inline(nodes: readonly RstNode[]): string
  /** Parses and prints a piece of text that the parser has left as it is. */
  piece(text: string): Line[]
  /** 1 for the first style of underline in the file, 2 for the second. */
  levelOf(section: RstSection): number
  footnote(label: string): string
  /** The lines of a block as they are written. */
  source(node: RstNode): string
}

/** With an empty line between the pieces. Leaves out empty pieces. */
export function spaced(pieces: readonly Line[][]): Line[] {
  const [first = [], ...rest] = pieces.filter((piece) => piece.length > 0)
  return [...first, ...rest.flatMap((piece) => [{ text: '', from: piece[0]?.from ?? 0 }, ...piece])]
}

/** Puts `first` before the first line, and `others` before those below it. */
export function prefixed(lines: readonly Line[], first: string, others = ' '.repeat(first.length)): Line[] {
  return lines.map(({ text, from }, at) => ({ text: ((at === 0 ? first : others) + text).trimEnd(), from }))
}

/** The lines of a text whose first line is at `from`. */
export function linesOf(text: string, from: number): Line[] {
  return text === '' ? [] : text.split('\n').map((line, at) => ({ text: line, from: from + at }))
}

/** A fence that is longer than any in the code. */
export function fenced(code: string, language: string, from: number): Line[] {
  const lines = code.replace(/^(?:[^\S\n]*\n)+|\s+$/g, '')
  if (lines === '') return []
  const longest = Math.max(2, ...[...lines.matchAll(/`{3,}/g)].map(([run]) => run.length))
  const fence = '`'.repeat(longest + 1)
  return [{ text: fence + language, from }, ...linesOf(lines, from), { text: fence, from }]
}
