/** Comments and decorators directly above a definition. */
import type { Found, Span } from './found.ts'
import type { SourceLines } from './source-lines.ts'

export interface Above {
  /** First line of the decorators; without any, the line that was asked for. */
  start: number
  /** First line of the comments above. Absent: none. */
  docStart?: number
  /** Plain words of these comments. */
  doc?: string
}

/** Characters of a text that are looked at for its words. */
const mostRead = 4_000
const mostDoc = 500
/** Lines. */
const longestDoc = 200

/** Comments that speak to tools. */
const directive =
  /^\s*(?:\/[/*]\s*|#\s*)?(?:eslint|biome-|prettier-|tslint|jshint|istanbul|c8 |v8 |@ts-|noinspection|nolint|go:|\+build|pylint:|flake8|noqa|type:\s*ignore|mypy:|rubocop:|region\b|endregion\b|!)/
const license = /copyright|licen[sc]e|spdx-/i

export function aboveLines(found: Found, lines: SourceLines, text: string): (line: number) => Above {
  const spansOf = (spans: readonly Span[]) => spans.map((span) => trimmed(span, text))
  const all = endsByStart(spansOf([...found.comments, ...found.decorators]))
  const comments = byLastLine(spansOf(found.comments), all, lines, text)
  const decorators = byLastLine(spansOf(found.decorators), all, lines, text)
  const endsOf = new Map<number, number>()
  for (const [last, span] of decorators) endsOf.set(last, lines.at(span.start))

  return (line) => {
    let start = line
    for (let first = endsOf.get(start - 1); first !== undefined; first = endsOf.get(start - 1)) start = first
    const spans: Span[] = []
    let docStart = start
    for (let span = comments.get(docStart - 1); span !== undefined; span = comments.get(docStart - 1)) {
      docStart = lines.at(span.start)
      if (start - docStart > longestDoc) break
      if (!directive.test(text.slice(span.start, span.end))) spans.unshift(span)
    }
    const doc = spans.length === 0 ? '' : plainWords(spans.map((span) => text.slice(span.start, span.end)).join('\n'))
    const isLicense = docStart <= 2 && license.test(doc)
    return doc === '' || isLicense ? { start } : { start, docStart, doc }
  }
}

/**
 * By the line that they end on. Only those that have their lines for themselves: a comment behind code, or an attribute
 * before code, belongs to that code. Several on one line count as one. `all`: comments and decorators.
 */
function byLastLine(
  spans: readonly Span[],
  all: ReadonlyMap<number, number>,
  lines: SourceLines,
  text: string,
): Map<number, Span> {
  const result = new Map<number, Span>()
  for (const { start, end } of spans) {
    if (text.slice(lines.startOf(lines.at(start)), start).trim() !== '') continue
    const last = lastLineOf(end, all, lines, text)
    if (last !== undefined) result.set(last, { start, end })
  }
  return result
}

/** undefined: code follows on the line. */
function lastLineOf(
  end: number,
  all: ReadonlyMap<number, number>,
  lines: SourceLines,
  text: string,
): number | undefined {
  for (let at = end; ; ) {
    const line = lines.at(at - 1)
    const rest = text.slice(at, lines.startOf(line + 1))
    if (rest.trim() === '') return line
    const next = all.get(at + rest.search(/\S/))
    if (next === undefined) return undefined
    at = next
  }
}

/** Where each ends, by where it starts. */
function endsByStart(spans: readonly Span[]): Map<number, number> {
  return new Map(spans.map(({ start, end }) => [start, end]))
}

/** Some grammars count the line feed to the comment, so that it would end one line late. */
function trimmed({ start, end }: Span, text: string): Span {
  return { start, end: start + text.slice(start, end).trimEnd().length }
}

/** At most 500 characters, without the marks of comments, tags of HTML and XML, and signs of doc tools. */
export function plainWords(comment: string): string {
  const words = comment
    .slice(0, mostRead)
    .replace(/^\s*(?:[rbuRBU]{0,2}("""|''')|\/\*[*!]?|\/\/[/!]*|#+!?|--+|\*+(?!\/))/gm, ' ')
    .replace(/"""\s*$|'''\s*$|\*+\/\s*$/gm, ' ')
    .replace(/<\/?[a-zA-Z][^<>\n]{0,100}>/g, ' ')
    .replace(/\{@\w+\s+([^{}\n]{0,200})\}/g, '$1')
    .replace(/(?<=^|\s)[@\\](?=[a-z])|[`*_=~-]{3,}|`+/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
  return words.length <= mostDoc ? words : words.slice(0, mostDoc).replace(/[\ud800-\udbff]$/, '')
}
