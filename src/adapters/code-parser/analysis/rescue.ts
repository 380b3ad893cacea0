/** Names in parts of a file that its grammar does not understand, by patterns of lines. */
import type { CodeSymbol } from '../../../ports/code-parser.ts'
import type { LinePattern } from '../languages/language.ts'
import type { Span } from './found.ts'
import { cut } from './signature.ts'
import type { SourceLines } from './source-lines.ts'

/** Lines that are looked at in a file. */
const mostLines = 5_000
/** Characters of a line that are looked at: patterns may take quadratic time on longer ones. */
const longestLine = 500
/** Lines of a rescued definition. */
const longestBody = 200
/** Words that look like the name of a function before its parameters. */
const noNames =
  /^(?:if|for|while|switch|return|catch|else|do|sizeof|defined|new|throw|delete|case|foreach|lock|using|when)$/

export function rescued(
  errors: readonly Span[],
  patterns: readonly LinePattern[],
  known: readonly CodeSymbol[],
  lines: SourceLines,
): CodeSymbol[] {
  if (errors.length === 0 || patterns.length === 0) return []
  const names = new Set(known.map(({ name, start, end }) => `${name} ${start} ${end}`))
  const knownNames = new Map<string, CodeSymbol[]>()
  for (const one of known) knownNames.set(one.name, [...(knownNames.get(one.name) ?? []), one])
  const found: CodeSymbol[] = []
  for (const line of linesOf(errors, lines)) {
    const text = lines.text(line).slice(0, longestLine)
    const match = firstMatch(text, patterns)
    if (match === undefined || noNames.test(match.name)) continue
    const isKnown = knownNames.get(match.name)?.some(({ start, end }) => start <= line && line <= end)
    if (isKnown || names.has(`${match.name} ${line}`)) continue
    const end = endOf(line, lines)
    found.push({ name: match.name, kind: match.kind, start: line, end, signature: signatureOf(text) })
  }
  return found
}

function* linesOf(errors: readonly Span[], lines: SourceLines): Iterable<number> {
  const sorted = [...errors].sort((a, b) => a.start - b.start)
  let [next, left] = [1, mostLines]
  for (const { start, end } of sorted) {
    const last = lines.at(Math.max(start, end - 1))
    for (let line = Math.max(next, lines.at(start)); line <= last && left > 0; line += 1, left -= 1) yield line
    next = Math.max(next, last + 1)
  }
}

function firstMatch(
  text: string,
  patterns: readonly LinePattern[],
): { kind: LinePattern['kind']; name: string } | undefined {
  for (const { kind, pattern } of patterns) {
    const name = pattern.exec(text)?.groups?.name
    if (name !== undefined) return { kind, name }
  }
  return undefined
}

/** The body ends before the next line that is indented as little, with the line of a closing bracket or `end`. */
function endOf(line: number, lines: SourceLines): number {
  const indent = indentOf(lines.text(line))
  let last = line
  for (let at = line + 1; at <= Math.min(lines.count, line + longestBody); at += 1) {
    const text = lines.text(at)
    if (text.trim() === '') continue
    if (indentOf(text) <= indent)
      return /^\s*(?:[})\]]|end\b)/.test(text) ? at : /^\s*\{/.test(text) ? endOf(at, lines) : last
    last = at
  }
  return last
}

function indentOf(text: string): number {
  return text.length - text.trimStart().length
}

function signatureOf(text: string): string {
  return cut(
    text
      .replace(/\s+/g, ' ')
      .replace(/\s*[{:=]?\s*$/, '')
      .trim(),
    300,
  )
}
