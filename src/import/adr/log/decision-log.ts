/**
 * Divides a decision log: a file with several decisions, each in a section whose heading has a number
 * (`## DEC-001: Use one file`, `## 3. Use one file`) or a date (`## 2025-03-01: Use one file`).
 *
 * One record may have numbered headings too: options, phases, or its own sections. So a file is divided only if its
 * sections say what was decided or have a status, and nothing outside of them does.
 */
import { wordKey } from '../document/dictionary.ts'
import { sectionKind } from '../document/headings.ts'
import { type ParsedAdr, parseAdr } from '../parse.ts'
import { decisionBelow, type LogDecision } from './decision.ts'
import { headingsIn, type IdentifiedHeading, type Identity, isIdentified, type LogHeading } from './headings.ts'

/**
 * `untold`: neither its name, its title nor its folder says that it holds decisions. `record`: it has the name of one
 * record. `unlabelled`: its sections do not say what was decided. `large`: it has too many sections.
 */
export type WhyNotDivided = 'untold' | 'record' | 'unlabelled' | 'large'

export interface DecisionLog {
  /** Empty: the file is not divided. */
  decisions: LogDecision[]
  /** Why the file is not divided, although it seems to hold several decisions. */
  whyNot?: WhyNotDivided
  /** Sections with a number or a date in which no decision and no status was found. */
  leftOut: { line: number; heading: string }[]
}

export interface LogFile {
  /** What says that the file holds decisions: its own name, or its folder. */
  told: 'name' | 'folder' | undefined
  /** Its name is that of one record, such as `0012-use-one-file`. */
  isRecord: boolean
}

export function readLog(text: string, file: LogFile): DecisionLog {
  const none: DecisionLog = { decisions: [], leftOut: [] }
  // most files have no such headings
  const marks = text.match(headingMarks)?.length ?? 0
  if (marks < fewestDecisions || marks > mostHeadings) return none
  const lines = text.split('\n')
  const headings = headingsIn(lines)
  const level = levelOfDecisions(headings)
  const borders = headings.filter((heading) => heading.level <= level)
  const found = borders.flatMap((heading, at) =>
    heading.level === level && isIdentified(heading) ? [{ heading, end: borders[at + 1]?.at ?? lines.length }] : [],
  )
  if (found.length < fewestDecisions) return none
  if (found.length > mostDecisions) return { ...none, whyNot: 'large' }
  const identified = found.map(({ heading }) => heading)
  if (isOneRecord(headings, identified, lines)) return none
  const titled = headings.find((heading) => heading.level === 1)?.text ?? ''
  const told = tellsOfDecisions.test(titled) ? 'name' : file.told
  const sections = found.map(({ heading, end }) => ({ heading, decision: decisionBelow(heading, end, lines) }))
  const decided = sections.filter(({ heading, decision }) => isDecision(decision.adr, heading.identity, told))
  const isLog = decided.length >= fewestDecisions && decided.length * 2 >= found.length
  if (file.isRecord || told === undefined || !isLog) {
    const coded = sections.filter(({ heading }) => heading.identity.isCode)
    const deciding = told === 'name' ? coded : coded.filter(({ decision }) => decision.adr.parts.decision !== '')
    if (deciding.length < fewestDecisions) return none
    return { ...none, whyNot: told === undefined ? 'untold' : file.isRecord ? 'record' : 'unlabelled' }
  }
  return {
    decisions: withOwnAnchors(decided.map(({ decision }) => decision)),
    leftOut: sections
      .filter((one) => !decided.includes(one))
      .map(({ heading }) => ({ line: heading.at + 1, heading: heading.text })),
  }
}

const fewestDecisions = 2
/** Each section is parsed on its own, so more would take too long. */
const mostDecisions = 1000
/** A file with more headings is no log. */
const mostHeadings = 20_000

const headingMarks = /^(?:#{1,4}[ \t]+\S|(?:=+|-{2,})[ \t]*$)/gm
/** The title of a log. */
const tellsOfDecisions =
  /\bdecisions\b|\bdecision (?:log|records|register)\b|\badrs\b|\b(?:what|how) we (?:decided|chose)\b|entscheidungen|d[ée]cisions\b|decisiones|decis[oõ]es|decisioni|beslissingen|решения|决策|決定|결정/iu

/** The level with the most headings that have a number or a date. */
function levelOfDecisions(headings: readonly LogHeading[]): number {
  const counts = [1, 2, 3, 4].map((level) => headings.filter((one) => one.level === level && isIdentified(one)).length)
  return counts.indexOf(Math.max(...counts)) + 1
}

/** A number or a date may stand in two headings. */
function withOwnAnchors(decisions: readonly LogDecision[]): LogDecision[] {
  const used = new Map<string, number>()
  return decisions.map((decision) => {
    const times = (used.get(decision.anchor) ?? 0) + 1
    used.set(decision.anchor, times)
    return times === 1 ? decision : { ...decision, anchor: `${decision.anchor}-${times}` }
  })
}

/**
 * Says what was decided, or has a status. In a file of which only the folder tells that it holds decisions, decisions
 * without a code must have both, because numbered or dated sections are usual in a single record.
 */
function isDecision({ parts, yStatement, status }: ParsedAdr, { isCode }: Identity, told: LogFile['told']): boolean {
  const decides = parts.decision !== '' || yStatement !== undefined
  return told === 'name' || isCode ? decides || status !== undefined : decides && status !== undefined
}

/** Whether the file is one record: it has a status, a context or a decision outside of the decisions. */
function isOneRecord(
  headings: readonly LogHeading[],
  found: readonly IdentifiedHeading[],
  lines: readonly string[],
): boolean {
  // `## 1. Context` beside `## 2. Decision`
  if (found.some(({ title }) => title !== '' && sectionKind(title) !== null)) return true
  const [first] = found
  const level = first?.level ?? 1
  const outside = headings.filter(({ level: own, identity }) => own <= level && identity === undefined)
  const isOwn = outside.some(({ text, level: own }) => {
    const kind = sectionKind(text)
    const holdsDecisions = own < level && kind === 'decision' && container.test(wordKey(text))
    const isContext = kind === 'context' && ownContext.test(wordKey(text))
    return kind !== null && (ownKinds.has(kind) || isContext) && !holdsDecisions && !(own === 1 && kind === 'decision')
  })
  const above = lines.slice(0, first?.at ?? 0).join('\n')
  return isOwn || parseAdr(above).status !== undefined
}

const ownKinds: ReadonlySet<string> = new Set(['status', 'decision', 'consequences', 'options', 'details', 'drivers'])
/** Other headings of this kind, such as `## Overview`, introduce a log too. */
const ownContext = /^(?:context|kontext|contexte|contexto|contesto|problem)\b/u
/** `## Decisions` above the sections of the decisions. */
const container =
  /^(?:(?:key|our|the|all) )?(?:decisions?(?: made)?|entscheidungen|decisiones|decisoes|decisioni|besluiten|решения|决策|決定)$/u
