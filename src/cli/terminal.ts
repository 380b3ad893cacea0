/** What the command prints: results on standard output, everything about its course on standard error. */
import type { Writable } from 'node:stream'
import type { WriteStream } from 'node:tty'
import type { Failure } from './failure.ts'

export interface Terminal {
  /** Lines of the result. */
  print(text: string): void
  /** The result, of --json: one object on one line. */
  printJson(value: unknown): void
  /** Lines about the course of things: where they go nobody parses them. Nothing with --json. */
  note(text: string): void
  fail(failure: Failure): void
  json: boolean
  /** Standard error is a terminal that somebody looks at. */
  isWatched: boolean
  /** Columns that results are wrapped to; undefined where no terminal shows them: then a line stays one. */
  width: number | undefined
  /** Results may be bold and faint: a terminal shows them, and neither NO_COLOR nor TERM forbids it. */
  isStyled: boolean
  /** Where a progress bar is drawn. */
  stderr: Writable
}

/** What of a stream tells whether a terminal is behind it, and which one. */
type Output = Writable & Partial<Pick<WriteStream, 'isTTY' | 'columns' | 'hasColors'>>

/** Longer lines are hard to read, however wide the window is. */
const widest = 100
const narrowest = 20

export function terminalOf(stdout: Output, stderr: Output, json: boolean): Terminal {
  const isShown = stdout.isTTY === true && !json
  return {
    json,
    stderr,
    isWatched: stderr.isTTY === true && !json,
    width: isShown ? Math.min(Math.max(stdout.columns || 80, narrowest), widest) : undefined,
    isStyled: isShown && stdout.hasColors?.() === true,
    print: (text) => void stdout.write(`${text}\n`),
    printJson: (value) => void stdout.write(`${asJson(value)}\n`),
    note: (text) => void (json || stderr.write(`${text}\n`)),
    fail(failure) {
      const { code, message, remedy, exit, details } = failure
      if (json) stderr.write(`${asJson({ error: { code, message, remedy, exit, ...details } })}\n`)
      else stderr.write(`precedent: ${plain(message)}\n${remedy === undefined ? '' : `  ${plain(remedy)}\n`}`)
    },
  }
}

/** Control characters but tab and line feed, and what turns the direction of a line. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
const driving = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g

/** Texts of others go to a terminal without what would drive it. */
export function plain(text: string): string {
  return text.replace(/\r\n/g, '\n').replace(driving, '\ufffd')
}

/** The same, within a line. */
export function inLine(text: string): string {
  return plain(text).replace(/\s+/g, ' ').trim()
}

/** The same value: only what JSON leaves as it is and a terminal would obey is escaped too. */
function asJson(value: unknown): string {
  const escaped = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
  return JSON.stringify(value).replace(driving, escaped)
}

/** Columns, two blanks apart; a cell is one line. Numbers of the column `right` stand under each other's ends. */
export function table(rows: readonly (readonly string[])[], right = -1): string {
  const columns = Math.max(0, ...rows.map((row) => row.length))
  const widths = Array.from({ length: columns }, (_, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)))
  const padded = (cell: string, at: number) =>
    at === right ? cell.padStart(widths[at] ?? 0) : cell.padEnd(widths[at] ?? 0)
  return rows.map((row) => row.map(padded).join('  ').trimEnd()).join('\n')
}

/** `1 decision`, `2,000 decisions`. */
export function count(number: number, one: string, many = `${one}s`): string {
  return `${number.toLocaleString('en')} ${number === 1 ? one : many}`
}
