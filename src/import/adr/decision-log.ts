/**
 * Divides a decision log: a file with several decisions, each below a heading with a number (`## DEC-001: Use one file`,
 * `## 3. Use one file`) or a date (`## 2025-03-01: Use one file`). Each entry is then read like a file of its own.
 *
 * One record may have numbered headings too: options, phases, or its own sections. So a file is divided only if its
 * entries say what was decided or have a status, and nothing outside of them does.
 */
import { areCode } from '../../text/code-blocks.ts'
import { findDate } from './dates.ts'
import { wordKey } from './document/dictionary.ts'
import { readFrontMatter } from './document/front-matter.ts'
import { sectionKind } from './document/headings.ts'
import { plainText } from './document/markdown.ts'
import { type ParsedAdr, parseAdr } from './parse.ts'
import { atSourceLines } from './source-lines.ts'

export interface LogEntry {
  /** Names the entry in its file, and stays the same if other entries are added: `dec-001`, `2025-03-01-use-one-file`. */
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

/**
 * `untold`: neither its name, its title nor its folder says so. `record`: its name is that of one record. `unlabelled`: it
 * is not told what was decided. `large`: it has too many entries.
 */
export type WhyNotDivided = 'untold' | 'record' | 'unlabelled' | 'large'

export interface DecisionLog {
  /** Empty: the file is not divided. */
  entries: LogEntry[]
  /** Why the file is not divided, although it seems to hold several decisions. */
  whyNot?: WhyNotDivided
  /** Headings such as those of the entries, below which no decision and no status was found. */
  leftOut: { line: number; heading: string }[]
}

export interface LogFile {
  /** What says that the file holds decisions: its own name, or its folder. */
  told: 'name' | 'folder' | undefined
  /** Its name is that of one record, such as `0012-use-one-file`. */
  isRecord: boolean
}

export function readLog(text: string, { told: toldBy, isRecord }: LogFile): DecisionLog {
  const none: DecisionLog = { entries: [], leftOut: [] }
  // most files have no such headings
  const marks = text.match(headingMarks)?.length ?? 0
  if (marks < fewestEntries || marks > mostHeadings) return none
  const lines = text.split('\n')
  const headings = headingsIn(lines)
  const level = levelOfEntries(headings)
  const found = headings.filter((heading): heading is Identified => heading.level === level && isIdentified(heading))
  if (found.length < fewestEntries) return none
  if (found.length > mostEntries) return { ...none, whyNot: 'large' }
  const ends = headings.filter((heading) => heading.level <= level).map(({ at }) => at)
  let next = 0
  const read = found.map((heading) => {
    while ((ends[next] ?? lines.length) <= heading.at && next < ends.length) next++
    return { heading, entry: entryAt(heading, ends[next] ?? lines.length, lines) }
  })
  const titled = headings.find((heading) => heading.level === 1)?.text ?? ''
  const told = tellsOfDecisions.test(titled) ? 'name' : toldBy
  const entries = read.filter(({ heading, entry }) => isDecision(entry.adr, heading.identity, told))
  const isLog = entries.length >= fewestEntries && entries.length * 2 >= found.length
  if (isRecord || told === undefined || !isLog || hasOwnRecord(headings, found, lines)) {
    const codes = read.filter(({ heading }) => heading.identity.isCode)
    const deciding = told === 'name' ? codes : codes.filter(({ entry }) => entry.adr.parts.decision !== '')
    if (deciding.length < fewestEntries || hasOwnRecord(headings, found, lines)) return none
    return { ...none, whyNot: told === undefined ? 'untold' : isRecord ? 'record' : 'unlabelled' }
  }
  const used = new Map<string, number>()
  return {
    entries: entries.map(({ entry }) => {
      const before = used.get(entry.anchor) ?? 0
      used.set(entry.anchor, before + 1)
      return before === 0 ? entry : { ...entry, anchor: `${entry.anchor}-${before + 1}` }
    }),
    leftOut: read
      .filter((one) => !entries.includes(one))
      .map(({ heading }) => ({ line: heading.at + 1, heading: heading.text })),
  }
}

const fewestEntries = 2
/** Each entry is parsed on its own, so more would take too long. */
const mostEntries = 1000
/** A file with more headings is no log. */
const mostHeadings = 20_000
/** UTF-16 units of the title in an anchor. */
const mostInAnchor = 60

const headingMarks = /^(?:#{1,4}[ \t]+\S|(?:=+|-{2,})[ \t]*$)/gm
/** UTF-16 units. A longer line is no heading. */
const mostInHeading = 500
/** The title of a log. */
const tellsOfDecisions =
  /\bdecisions\b|\bdecision (?:log|records|register)\b|\badrs\b|\b(?:what|how) we (?:decided|chose)\b|entscheidungen|d[ée]cisions\b|decisiones|decis[oõ]es|decisioni|beslissingen|решения|决策|決定|결정/iu

interface Heading {
  /** Line, from 0. */
  at: number
  level: number
  text: string
  /** Without number or date. */
  title: string
  identity: Identity | undefined
}
type Identified = Heading & { identity: Identity }

interface Identity {
  /** `dec-001`, `3` or `2025-03-01`. */
  key: string
  number?: number
  date?: string
  labels: string[]
  /** It has the code of a decision, such as `ADR-1`, `DEC-2`, `D3` or `Decision 4`. */
  isCode: boolean
}

const isIdentified = (heading: Heading): heading is Identified => heading.identity !== undefined

function headingsIn(lines: readonly string[]): Heading[] {
  const first = readFrontMatter(lines.join('\n')).lines
  const code = areCode(lines)
  const found: Heading[] = []
  let inComment = false
  for (const [at, line] of lines.entries()) {
    if (code[at] || at < first || line.length > mostInHeading) continue
    const isComment = inComment || line.trimStart().startsWith('<!--')
    if (isComment) {
      inComment = !line.includes('-->')
      continue
    }
    const [, marks, atx] = /^ {0,3}(#{1,6})[ \t]+(\S.*)$/.exec(line) ?? []
    const underline = /^(?:(=+)|-{2,})[ \t]*$/.exec(lines[at + 1] ?? '')
    const isSetext = marks === undefined && underline !== null && /^[\p{L}\d]/u.test(line) && !line.includes('|')
    const text = atx === undefined ? (isSetext ? line.trim() : undefined) : withoutClosing(atx)
    if (text === undefined) continue
    const plain = plainText(text)
    const level = marks?.length ?? (underline?.[1] ? 1 : 2)
    found.push({ at, level, text: plain, ...identified(plain) })
  }
  return found
}

/** Without the marks that may close a heading, as in `## Use one file ##`. A pattern would take the cube of the length. */
function withoutClosing(text: string): string {
  const trimmed = text.trimEnd()
  let end = trimmed.length
  while (trimmed[end - 1] === '#') end--
  return end === 0 || /\s/.test(trimmed[end - 1] ?? '') ? trimmed.slice(0, end).trimEnd() : trimmed
}

const separator = '(?:\\s*[.:：)|·•]\\s+|\\s*[:：]\\s*|\\s+[–—-]+\\s+|\\s*[–—]\\s*|\\s+|$)'
/** `ADR-001`, `DEC 2`, `AD-3`, `D4`, `Decision 5`, `ACME-ADR-006`. */
const coded = new RegExp(
  `^\\[?((?:[A-Z]{2,10}-)?(?:[ML]?ADR|DEC|DR|DDR|TDR|EDR|PDR|AD|D|Decision|Entscheidung|Décision|Decisión))[-_ #]?(\\d{1,5})\\]?(?!\\d|\\.\\d)${separator}(.*)$`,
  'su',
)
/** `3. Title`, `003 — Title`, `#3: Title`. */
const numbered = /^#?(\d{1,5})(?:\s*[.:)]\s+|\s+[–—-]+\s+)(\S.*)$/su
const datedFirst = /^\[?((?:19|20)\d{2}-\d{2}-\d{2})\]?(?:\s*[:：|·•–—-]+\s*|\s+)(\S.*)$/su
const datedLast = /^(\S.*?)\s*(?:\(((?:19|20)\d{2}-\d{2}-\d{2})\)|[–—-]\s+((?:19|20)\d{2}-\d{2}-\d{2}))$/su

function identified(text: string): Pick<Heading, 'title' | 'identity'> {
  const bare = text.replace(/^(?:\p{Extended_Pictographic}|\uFE0F|\s|~)+/u, '')
  const code = coded.exec(bare)
  if (code) {
    const [, prefix = '', digits = '', title = ''] = code
    const key = `${prefix}-${digits}`.toLowerCase()
    const number = Number(digits)
    const letters = /[A-Z]+$/.exec(prefix)?.[0] ?? 'ADR'
    const sizes = [1, 2, 3, 4].map((size) => String(number).padStart(size, '0'))
    const labels = sizes.flatMap((one) => [`${prefix}-${one}`, `${letters}-${one}`, `${letters}${one}`])
    return { title: title.trim(), identity: { key, number, labels: [...new Set(labels)], isCode: true } }
  }
  const dated = datedFirst.exec(bare)
  const end = dated ? null : datedLast.exec(bare)
  const date = dated?.[1] ?? end?.[2] ?? end?.[3]
  const title = (dated ? dated[2] : end?.[1]) ?? ''
  if (date !== undefined && findDate(date) && !notOfDecision.test(wordKey(title)))
    return { title: title.trim(), identity: { key: date, date, labels: [], isCode: false } }
  const [, digits, rest = ''] = numbered.exec(bare) ?? []
  if (digits === undefined) return { title: text, identity: undefined }
  return { title: rest.trim(), identity: { key: digits, number: Number(digits), labels: [], isCode: false } }
}

/** A change of the text itself, such as `2025-03-01: Update`. */
const notOfDecision =
  /^(?:(?:first |initial |minor |major )?(?:updates?|updated|amendments?|amended|addend(?:um|a)|revisions?|revised|changes?|changed|notes?|status|review(?:ed)?|postscript|follow up|retrospective|meeting|minutes|nachtrag|änderung|anderung|mise a jour|actualizacion))\b/u

/** The level with the most headings that have a number or a date. */
function levelOfEntries(headings: readonly Heading[]): number {
  const counts = [1, 2, 3, 4].map((level) => headings.filter((one) => one.level === level && isIdentified(one)).length)
  return counts.indexOf(Math.max(...counts)) + 1
}

/** `end`: the line behind it, from 0. */
function entryAt(heading: Identified, end: number, lines: readonly string[]): LogEntry {
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
      title: adr.title === undefined ? undefined : read || heading.text,
      number: identity.number,
      dates: identity.date === undefined ? adr.dates : [...adr.dates, { text: identity.date, line: at + 1 }],
    },
    text: [lines[at] ?? '', ...body].join('\n'),
    line: at + 1,
  }
}

/** Writes `- Decision: …` as a paragraph with a label. undefined: the entry has no such list. */
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

/**
 * Says what was decided, or has a status. In a file of which only the folder tells that it holds decisions, entries
 * without a code must have both, because numbered or dated sections are usual in a single record.
 */
function isDecision({ parts, yStatement, status }: ParsedAdr, { isCode }: Identity, told: LogFile['told']): boolean {
  const decides = parts.decision !== '' || yStatement !== undefined
  return told === 'name' || isCode ? decides || status !== undefined : decides && status !== undefined
}

/** Whether the file is one record: it has a status, a context or a decision outside of the entries. */
function hasOwnRecord(headings: readonly Heading[], entries: readonly Identified[], lines: readonly string[]): boolean {
  // `## 1. Context` beside `## 2. Decision`
  if (entries.some(({ title }) => title !== '' && sectionKind(title) !== null)) return true
  const [first] = entries
  const level = first?.level ?? 1
  const outside = headings.filter(({ level: own, identity }) => own <= level && identity === undefined)
  const isOwn = outside.some(({ text, level: own }) => {
    const kind = sectionKind(text)
    const holdsEntries = own < level && kind === 'decision' && container.test(wordKey(text))
    const isContext = kind === 'context' && ownContext.test(wordKey(text))
    return kind !== null && (ownKinds.has(kind) || isContext) && !holdsEntries && !(own === 1 && kind === 'decision')
  })
  const above = lines.slice(0, first?.at ?? 0).join('\n')
  return isOwn || parseAdr(above).status !== undefined
}

const ownKinds: ReadonlySet<string> = new Set(['status', 'decision', 'consequences', 'options', 'details', 'drivers'])
/** Other headings of this kind, such as `## Overview`, introduce a log too. */
const ownContext = /^(?:context|kontext|contexte|contexto|contesto|problem)\b/u
/** `## Decisions` above the entries. */
const container =
  /^(?:(?:key|our|the|all) )?(?:decisions?(?: made)?|entscheidungen|decisiones|decisoes|decisioni|besluiten|решения|决策|決定)$/u

function firstSentence(text: string): string {
  const [line = ''] = text.split('\n')
  return plainText(/^.{10,160}?[.!?。](?=\s|$)/u.exec(line)?.[0] ?? line.slice(0, 160)).replace(/[.。]$/u, '')
}

/** As web sites make the anchor of a heading. */
export function slugOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/\s/gu, '-')
}
