/** Reads one decision of a decision log: the text below its heading, as if it were a file of its own. */
import { sectionKind } from '../document/headings.ts'
import { plainText } from '../document/markdown.ts'
import { type ParsedAdr, parseAdr } from '../parse.ts'
import { withoutRelation } from '../relations/in-title.ts'
import { atSourceLines } from '../source-lines.ts'
import type { IdentifiedHeading } from './headings.ts'

export interface LogDecision {
  /** Names the decision in its file, and stays the same if others are added: `dec-001`, `2025-03-01-use-one-file`. */
  anchor: string
  /** The anchor that web sites give to its heading. */
  slug: string
  /** As other records refer to it: `DEC-001`. */
  labels: string[]
  adr: ParsedAdr
  /** As written. */
  text: string
  /** Line of its heading, counted from 1. */
  line: number
}

/** UTF-16 units of the title in an anchor. */
const mostInAnchor = 60

/** `end`: the line behind its last one, from 0. */
export function decisionBelow(heading: IdentifiedHeading, end: number, lines: readonly string[]): LogDecision {
  const { at, identity, title } = heading
  const body = lines.slice(at + 1, end)
  const name = identity.isCode ? `${identity.key}.md` : ''
  const asRead = (texts: readonly string[], numbers: readonly number[]) =>
    atSourceLines(parseAdr([`# ${title || identity.key}`, ...texts].join('\n'), name), [at + 1, ...numbers])
  const plain = asRead(
    body,
    body.map((_, index) => at + 2 + index),
  )
  const listed = plain.parts.decision === '' ? withoutList(body, at + 2) : undefined
  const adr = listed ? asRead(listed.lines, listed.numbers) : plain
  const read = title === '' ? firstSentence(adr.parts.decision) : title
  const slug = slugOf(heading.text)
  const anchor = identity.date === undefined ? identity.key : `${identity.key}-${slugOf(title)}`.slice(0, mostInAnchor)
  return {
    anchor: anchor.replace(/-+$/, ''),
    slug,
    labels: identity.labels,
    adr: {
      ...adr,
      title: adr.title === undefined ? undefined : withoutState(withoutRelation(read || heading.text), adr.title),
      number: identity.number,
      dates: identity.date === undefined ? adr.dates : [...adr.dates, { text: identity.date, line: at + 1 }],
    },
    text: [lines[at] ?? '', ...body].join('\n'),
    line: at + 1,
  }
}

/** Without the state in brackets that was read as the status: `Use one file (proposed)`. */
const withoutState = (title: string, parsed: string) => (title.startsWith(parsed) ? parsed : title)

/** Writes `- Decision: …` as a paragraph with a label. undefined: there is no such list. */
function withoutList(body: readonly string[], first: number): { lines: string[]; numbers: number[] } | undefined {
  const made: { lines: string[]; numbers: number[] } = { lines: [], numbers: [] }
  let isInList = false
  let decides = false
  for (const [at, line] of body.entries()) {
    const [, label = '', rest = ''] =
      /^[*+-][ \t]+(?:\*\*|__)?(\p{L}[\p{L} ]{1,40}?)\s*(?:[:：]\s*(?:\*\*|__)?|(?:\*\*|__)\s*[:：])[ \t]*(.*)$/u.exec(
        line,
      ) ?? []
    const kind = label === '' ? null : sectionKind(label)
    decides ||= kind === 'decision'
    if (kind !== null) isInList = true
    else if (/^\S/.test(line) && !/^[*+-][ \t]/.test(line)) isInList = false
    const written = kind === null ? [isInList ? line.replace(/^ {1,4}/, '') : line] : ['', `**${label}:** ${rest}`]
    made.lines.push(...written)
    made.numbers.push(...written.map(() => first + at))
  }
  return decides ? made : undefined
}

function firstSentence(text: string): string {
  const [line = ''] = text.split('\n')
  return plainText(/^.{10,160}?[.!?。](?=\s|$)/u.exec(line)?.[0] ?? line.slice(0, 160)).replace(/[.。]$/u, '')
}

/** As web sites make the anchor of a heading. */
function slugOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/\s/gu, '-')
}
