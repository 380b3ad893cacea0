/** Output of the command: results on standard output; progress, notes and errors on standard error. */
import type { Writable } from 'node:stream'
import stringWidth from 'string-width'
import type { Failure } from './failure.ts'
import type { Output } from './host.ts'

export interface Terminal {
  /** Prints lines of the result. */
  print(text: string): void
  /** Prints the result with --json: one object on one line. */
  printJson(value: unknown): void
  /** Prints a note for people on standard error. Prints nothing with --json. */
  note(text: string): void
  fail(failure: Failure): void
  json: boolean
  /** Standard error is a terminal. */
  isInteractive: boolean
  /** Columns to wrap results to. Undefined if standard output is no terminal: lines are not wrapped then. */
  width: number | undefined
  /** Results may use bold and faint: standard output is a terminal, and neither NO_COLOR nor TERM forbids styles. */
  isStyled: boolean
  /** The stream for the progress bar. */
  stderr: Writable
}

/** Columns. Longer lines are hard to read, even in a wide window. */
const widest = 100
const narrowest = 20

export function terminalOf(stdout: Output, stderr: Output, json: boolean): Terminal {
  const isShown = stdout.isTTY === true && !json
  return {
    json,
    stderr,
    isInteractive: stderr.isTTY === true && !json,
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

/** Control characters except tab and line feed, and the characters that change the direction of text. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern must match control characters
const unsafe = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g

/** Makes the text of a record safe to print: each character that could control the terminal becomes �. */
export function plain(text: string): string {
  return text.replace(/\r\n/g, '\n').replace(unsafe, '\ufffd')
}

/** The same, on one line. */
export function inLine(text: string): string {
  return plain(text).replace(/\s+/g, ' ').trim()
}

/** The same value as JSON. Characters that JSON allows but a terminal would obey are escaped too. */
export function asJson(value: unknown): string {
  const escaped = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
  return JSON.stringify(value).replace(unsafe, escaped)
}

/** Columns two blanks apart. Each cell is one line. The column `right` is aligned to the right. */
export function table(rows: readonly (readonly string[])[], right = -1): string {
  const columns = Math.max(0, ...rows.map((row) => row.length))
  const widths = Array.from({ length: columns }, (_, at) => Math.max(...rows.map((row) => stringWidth(row[at] ?? ''))))
  const padded = (cell: string, at: number) => {
    const blanks = ' '.repeat((widths[at] ?? 0) - stringWidth(cell))
    return at === right ? blanks + cell : cell + blanks
  }
  return rows.map((row) => row.map(padded).join('  ').trimEnd()).join('\n')
}

/** `1 decision`, `2,000 decisions`. */
export function count(number: number, one: string, many = `${one}s`): string {
  return `${number.toLocaleString('en')} ${number === 1 ? one : many}`
}
