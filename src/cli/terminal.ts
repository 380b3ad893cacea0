/** What the command prints: results on standard output, everything about its course on standard error. */
import type { Writable } from 'node:stream'
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
  /** Where a progress bar is drawn. */
  stderr: Writable
}

export function terminalOf(stdout: Writable, stderr: Writable & { isTTY?: boolean }, json: boolean): Terminal {
  return {
    json,
    stderr,
    isWatched: stderr.isTTY === true && !json,
    print: (text) => void stdout.write(`${text}\n`),
    printJson: (value) => void stdout.write(`${JSON.stringify(value)}\n`),
    note: (text) => void (json || stderr.write(`${text}\n`)),
    fail(failure) {
      const { code, message, remedy, exit, details } = failure
      if (json) stderr.write(`${JSON.stringify({ error: { code, message, remedy, exit, ...details } })}\n`)
      else stderr.write(`precedent: ${plain(message)}\n${remedy === undefined ? '' : `  ${plain(remedy)}\n`}`)
    },
  }
}

/** Texts of others go to a terminal without what would drive it. */
export function plain(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is replaced
  return text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, '\ufffd')
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
