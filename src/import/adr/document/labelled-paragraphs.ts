/**
 * Reads a record whose parts are paragraphs with a label: `**Context:** …`, `**Decision.** …`, or `Decision: …`. Turns
 * the labels into headings, so that the rules for sections read it.
 */
import { areCode } from '../../../text/code-blocks.ts'
import { byWord, type SectionKind, statusWords, wordKey } from './dictionary.ts'
import { readFrontMatter } from './front-matter.ts'
import { sectionKind } from './headings.ts'
import type { Sectioned } from './labelled-list.ts'

interface Label {
  kind: SectionKind | null
  label: string
  /** What follows on its line. */
  rest: string
  isBold: boolean
}

/** The lines between two headings. */
interface Segment {
  /** Line of the heading; that of the front matter's end above the first one. */
  from: number
  to: number
  kind: SectionKind | null
  level: number
}

const parts: ReadonlySet<SectionKind | null> = new Set([
  ...(['context', 'drivers', 'options', 'decision', 'proposal', 'rationale', 'consequences'] as const),
])
/** In sections about options, a label such as `Decision:` tells what became of one option. */
const ofOptions: ReadonlySet<SectionKind | null> = new Set(['options', 'details', 'option'])
const statuses = byWord(statusWords)

interface Labelled extends Sectioned {
  /**
   * It has one decision in bold beside its context or consequences. Otherwise, it may be a log of many decisions or
   * another text in which something was decided, so the labels are no sign of a record.
   */
  isRecord: boolean
}

/** undefined: no paragraph is labelled as the decision, or another section is the decision. */
export function sectionsOfLabels(text: string): Labelled | undefined {
  // most files have no such label
  if (!/^(?:(?:\*\*|__)\s*\p{L}[^\n]{0,80}[:：.]|\p{L}[\p{L} ]{2,30}[:：]\s)/mu.test(text)) return undefined
  const lines = text.split('\n')
  const segments = segmentsOf(lines, readFrontMatter(text).lines)
  if (segments === undefined) return undefined
  const labels = new Map(segments.flatMap((segment) => labelsIn(lines, segment)))
  if (labels.size > mostLabels) return undefined
  const decided = lengthOf(lines, segments, labels)
  if (decided.decision === 0 || decided.decision * mostTimes < decided.unknown) return undefined
  const rows: string[] = []
  const made: Labelled = { text: '', lines: [], isRecord: isRecord([...labels.values()]) }
  for (const [at, line] of lines.entries()) {
    const found = labels.get(at)
    const written = found ? ['', `${'#'.repeat(found.level)} ${found.label}`, '', found.rest] : [line]
    rows.push(...written)
    made.lines.push(...written.map(() => at + 1))
  }
  return { ...made, text: rows.join('\n') }
}

function isRecord(labels: readonly Label[]): boolean {
  const decisions = labels.filter(({ kind }) => kind === 'decision')
  const isWhole = labels.some(({ kind }) => kind === 'context' || kind === 'consequences')
  return decisions.length === 1 && decisions[0]?.isBold === true && isWhole
}

/** A text with more is no record, and each heading costs time. */
const mostLabels = 400

/** If the sections with unknown headings are so many times longer, the label belongs to a remark, not to the decision. */
const mostTimes = 10

/** undefined: a heading already names the decision. */
function segmentsOf(lines: readonly string[], first: number): Segment[] | undefined {
  const code = areCode(lines.slice(first))
  const found: Segment[] = [{ from: first - 1, to: lines.length, kind: null, level: 1 }]
  /** The level of the section about options around a heading. */
  let around: number | undefined
  for (let at = first; at < lines.length; at++) {
    const heading = code[at - first] ? undefined : headingAt(lines, at)
    if (heading === undefined) continue
    // the first one is the title, even if it is `# Decision: use one file`
    const isTitle = heading.level === 1 && found.length === 1
    const kind = isTitle ? null : sectionKind(heading.text, heading.level)
    if (kind === 'decision') return undefined
    const last = found.at(-1)
    if (last) last.to = at
    if (around !== undefined && heading.level <= around) around = undefined
    found.push({ from: at, to: lines.length, kind: around === undefined ? kind : 'option', level: heading.level })
    if (around === undefined && ofOptions.has(kind)) around = heading.level
  }
  return found
}

function headingAt(lines: readonly string[], at: number): { text: string; level: number } | undefined {
  const line = lines[at] ?? ''
  const [, marks, text = ''] = /^(#{1,6})[ \t]+(\S.*)$/.exec(line) ?? []
  if (marks !== undefined) return { text, level: marks.length }
  const underline = /^(?:=+|-{2,})[ \t]*$/.exec(lines[at + 1] ?? '')?.[0]
  if (underline && /^\p{L}/u.test(line)) return { text: line, level: underline.startsWith('=') ? 1 : 2 }
  // a line in bold is a heading too
  const bold = /^(?:\*\*|__)([^*_:：]+)(?:\*\*|__)[ \t]*$/.exec(line)?.[1]
  return bold !== undefined && sectionKind(bold) === 'decision' ? { text: bold, level: 7 } : undefined
}

/** By line: the labels from the first part of the record on. Empty if none of them names the decision. */
function labelsIn(lines: readonly string[], { from, to, kind, level }: Segment): [number, Label & { level: number }][] {
  if (ofOptions.has(kind)) return []
  const code = areCode(lines.slice(from + 1, to))
  const found: [number, Label & { level: number }][] = []
  for (let at = from + 1; at < to; at++) {
    const label = code[at - from - 1] ? undefined : labelAt(lines, at)
    if (label === undefined || (found.length === 0 && !parts.has(label.kind))) continue
    found.push([at, { ...label, level: Math.min(Math.max(level, 2), 6) }])
  }
  return found.some(([, label]) => label.kind === 'decision') ? found : []
}

const bold =
  /^(\*\*|__)\s*(\p{L}[\p{L}\p{N} '’()&/-]{1,60}?)\s*(?:(?<colon>[:：])\s*\1|(?<stop>\.)\1|\1\s*(?<behind>[:：])|\1\s*$)[ \t]*(?<rest>.*)$/u
const plain = /^(\p{Lu}[\p{L} ]{2,30}?)[:：][ \t]+(?<rest>\S.*)$/u

/** A known label may stand on any line in bold. Every other one begins a paragraph. */
function labelAt(lines: readonly string[], at: number): Label | undefined {
  const line = lines[at] ?? ''
  const begins = (lines[at - 1] ?? '').trim() === '' || /^#{1,6}\s/.test(lines[at - 1] ?? '')
  const inBold = bold.exec(line)
  const match = inBold ?? (begins ? plain.exec(line) : null)
  if (match === null) return undefined
  const { rest = '', colon, behind } = match.groups ?? {}
  const label = (inBold ? match[2] : match[1]) ?? ''
  const kind = sectionKind(label)
  // `**Decision:** Approved` is a status
  if (kind === 'decision' && statuses.has(wordKey(rest))) return undefined
  if (inBold === null) return parts.has(kind) ? { kind, label, rest, isBold: false } : undefined
  // a word in bold at the beginning of a line is no label: `… after a long\n**decision.** Then …`
  const isWord = !begins && /^\p{Ll}/u.test(label)
  const isLabel = (kind !== null && !isWord) || (begins && (colon ?? behind) !== undefined)
  return isLabel ? { kind, label, rest, isBold: true } : undefined
}

/** The characters of the first paragraph of each decision, and of the sections with unknown headings. */
function lengthOf(
  lines: readonly string[],
  segments: readonly Segment[],
  labels: ReadonlyMap<number, Label>,
): { decision: number; unknown: number } {
  const length = { decision: 0, unknown: 0 }
  for (const [at, { kind, rest }] of labels)
    if (kind === 'decision') length.decision += paragraphAt(lines, at, rest, labels)
  // above the second heading is the introduction
  for (const { from, to, kind } of segments.slice(2))
    if (kind === null) length.unknown += lines.slice(from + 1, to).join('').length
  return length
}

function paragraphAt(
  lines: readonly string[],
  label: number,
  rest: string,
  labels: ReadonlyMap<number, Label>,
): number {
  let length = rest.trim().length
  for (let at = label + 1; at < lines.length; at++) {
    const characters = lines[at]?.trim().length ?? 0
    if ((characters === 0 && length > 0) || labels.has(at)) break
    length += characters
  }
  return length
}
