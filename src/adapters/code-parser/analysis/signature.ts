import type { Definition, Span } from './found.ts'
import type { SourceLines } from './source-lines.ts'

const longest = 300
/** Characters of a definition that are looked at. */
const mostRead = 2_000
/** Words before a definition that belong to it, such as `export const`. */
const leading = /^[\w\s]*$/

/** The definition up to its body in one line, without decorators. `decorators` are in the order of their places. */
export function signatureOf(
  definition: Definition,
  decorators: readonly Span[],
  lines: SourceLines,
  text: string,
): string {
  const lineStart = ownLineStart(definition, decorators, lines)
  const isFirst = leading.test(text.slice(lineStart, definition.start))
  const from = afterDecorators(definition, decorators) ?? (isFirst ? lineStart : definition.start)
  const to = Math.min(definition.bodyAt ?? firstLinesEnd(definition, text), from + mostRead)
  const line = text
    .slice(from, Math.max(to, definition.nameAt + definition.name.length))
    .replace(/\s+/g, ' ')
    .replace(/\s*(?:=>|=|\{|:)?\s*$/, '')
    .trim()
  return cut(line, longest)
}

/** A comment above the line is about the first definition on it. */
export function startsLine(
  definition: Definition,
  decorators: readonly Span[],
  lines: SourceLines,
  text: string,
): boolean {
  return leading.test(text.slice(ownLineStart(definition, decorators, lines), definition.start))
}

/** Where its line begins, or where a decorator before it on this line ends, such as `template <class T>`. */
function ownLineStart({ start }: Definition, decorators: readonly Span[], lines: SourceLines): number {
  const lineStart = lines.startOf(lines.at(start))
  const before = decorators[firstFrom(start, decorators) - 1]
  return before !== undefined && before.end > lineStart && before.end <= start ? before.end : lineStart
}

/** The end of a definition that has no body: that of its first line, unless this line leaves its parameters open. */
function firstLinesEnd({ nameAt, end }: Definition, text: string): number {
  const line = text.indexOf('\n', nameAt)
  // parameters may be on lines of their own
  const open = text.slice(nameAt, line < 0 ? end : line).trimEnd()
  return line < 0 || line > end || /[([,]$/.test(open) ? end : line
}

function afterDecorators({ start, nameAt }: Definition, decorators: readonly Span[]): number | undefined {
  let end: number | undefined
  for (let at = firstFrom(start, decorators); at < decorators.length && (decorators[at] as Span).end <= nameAt; at += 1)
    end = (decorators[at] as Span).end
  return end
}

/** Index of the first decorator that starts at this place or behind it. */
function firstFrom(start: number, decorators: readonly Span[]): number {
  let low = 0
  for (let high = decorators.length; low < high; ) {
    const middle = (low + high) >> 1
    if ((decorators[middle] as Span).start < start) low = middle + 1
    else high = middle
  }
  return low
}

export function cut(text: string, most: number): string {
  // not within a character of two units
  return text.length <= most ? text : text.slice(0, most).replace(/[\ud800-\udbff]$/, '')
}
