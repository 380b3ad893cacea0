/**
 * Reads a record that is written as one list: `* **Context**: …`, `* **Decision**: …`, or `- Decision: …`. Turns the
 * labels into headings, so that the rules for sections read it.
 */
import { areCode } from '../../../text/code-blocks.ts'
import type { SectionKind } from './dictionary.ts'
import { sectionKind } from './headings.ts'

/** A text with headings in place of its labels. */
export interface Sectioned {
  text: string
  /** By line of `text`, from 0: the line of the source, counted from 1. */
  lines: number[]
}

interface Item {
  kind: SectionKind
  /** Where the text of the item begins. */
  indent: number
  label: string
  rest: string
}

/** Above the first part, these stay lines of metadata. */
const metadata: ReadonlySet<SectionKind> = new Set(['status', 'date', 'deciders', 'metadata', 'aside', 'history'])
const parts: ReadonlySet<SectionKind> = new Set(['context', 'decision', 'consequences'])

/** undefined: the record is not written as a list. */
export function sectionsOfList(text: string): Sectioned | undefined {
  // most files have no such list
  if (!/^[*+-][ \t]+(?:\*\*|__|\p{Lu}[\p{L} ]{2,40}[:：])/mu.test(text)) return undefined
  const source = text.split('\n')
  const code = areCode(source)
  const items = source.map((line, at) => (code[at] ? undefined : itemOf(line)))
  const kinds = new Set(items.map((item) => item?.kind))
  const isRecord = kinds.has('decision') && (kinds.has('context') || kinds.has('consequences'))
  const hasSections = source.some((line, at) => !code[at] && isPartHeading(line))
  if (!isRecord || hasSections) return undefined
  const first = items.findIndex((item) => item !== undefined && !metadata.has(item.kind))
  const made: Sectioned = { text: '', lines: [] }
  const rows: string[] = []
  let indent = 0
  for (const [at, line] of source.entries()) {
    const item = at < first ? undefined : items[at]
    if (item) indent = item.indent
    const written = item ? ['', `## ${item.label}`, '', item.rest] : [dedented(line, indent)]
    rows.push(...written)
    made.lines.push(...written.map(() => at + 1))
  }
  return { ...made, text: rows.join('\n') }
}

/** `* **Context**: …`, `* **Context:** …`, `* Context: …`. */
function itemOf(line: string): Item | undefined {
  const match =
    /^([*+-][ \t]+)(\*\*|__)(\p{L}[^*_:：]{1,40}?)\s*(?:[:：]\s*\2|\2\s*[:：])[ \t]*(.*)$/u.exec(line) ??
    /^([*+-][ \t]+)()(\p{Lu}[\p{L} ]{2,40})[:：](?:[ \t]+(.*))?$/u.exec(line)
  const [, mark = '', , label = '', rest = ''] = match ?? []
  const kind = sectionKind(label)
  return kind === null ? undefined : { kind, indent: mark.length, label, rest }
}

function isPartHeading(line: string): boolean {
  const heading = /^#{1,6}[ \t]+(.+)$/.exec(line)?.[1]
  const kind = heading === undefined ? null : sectionKind(heading)
  return kind !== null && parts.has(kind)
}

/** Without the indentation of the list item that it was in. */
function dedented(line: string, most: number): string {
  const indent = /^ */.exec(line)?.[0].length ?? 0
  return line.slice(Math.min(indent, most))
}
