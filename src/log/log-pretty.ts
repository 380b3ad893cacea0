/** Formats log lines for a terminal. Elsewhere they stay JSON. */
import { createRequire } from 'node:module'
import type { DestinationStream } from 'pino'

/** Takes lines of JSON, and writes each as text. Loads pino-pretty, which nothing else needs. */
export function prettyOn(to: DestinationStream, colorize: boolean): DestinationStream {
  const load = createRequire(import.meta.url)
  const { prettyFactory }: typeof import('pino-pretty') = load('pino-pretty')
  const text = prettyFactory({ colorize, translateTime: 'SYS:HH:MM:ss', singleLine: true })
  return { write: (line) => to.write(text(withoutIds(JSON.parse(line, harmless)))) }
}

/** Shortens the line of a request. Its ids are in the answer, and in the log of a service without a terminal. */
function withoutIds(line: Record<string, unknown>): object {
  if (line.msg !== 'request') return line
  const { request, trace, method, path, status, ms, ...rest } = line
  return { ...rest, msg: `${method} ${path} ${status} (${ms} ms)` }
}

// pino-pretty prints control characters as they are, so a caller could move the cursor or forge a line
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is replaced
const controls = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is replaced
const controlsWithinLines = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g

/** A stack keeps its line feeds: pino-pretty indents its lines, so none looks like a line of the log. */
function harmless(name: string, value: unknown): unknown {
  if (typeof value !== 'string') return value
  return value.replace(name === 'stack' ? controlsWithinLines : controls, escaped)
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}
