/** One file as the decision record that it holds, in its own words. Never throws, whatever the text is. */
import { type sectionWords, wordKey } from './dictionary.ts'
import { type AdrDocument, readDocument, type Section, span } from './document.ts'
import { type Field, isPlaceholder, namesIn, nearestKnown, readFields } from './fields.ts'
import { type FrontMatter, readFrontMatter } from './front-matter.ts'
import { bounded, plainText } from './markdown.ts'
import { type Option, readOptions } from './options.ts'
import { type Relation, readRelations } from './relations.ts'
import { readStatus, type Status } from './status.ts'

export interface Note {
  line: number
  message: string
}

export interface ParsedAdr {
  /** Without number or marks; undefined where the text has none. */
  title: string | undefined
  /** What stands before the title, such as 12 in `# ADR-012: …`. */
  number: number | undefined
  status: Status | undefined
  /** Texts that may hold its date, the best first, with their lines. */
  dates: { text: string; line: number }[]
  deciders: string[]
  authors: string[]
  tags: string[]
  category: string | undefined
  significance: string | undefined
  relations: Relation[]
  options: Option[]
  drivers: string[]
  /** Markdown by kind of section; empty where there is none. */
  parts: Parts
  /** What speaks for and against its being a decision record. */
  signs: Signs
  notes: Note[]
}

export interface Parts {
  context: string
  decision: string
  rationale: string
  consequences: string
  /** The whole text without title and metadata. */
  whole: string
}

export interface Signs {
  hasStatus: boolean
  hasDate: boolean
  /** Kinds of sections that only records of decisions have. */
  sections: number
  hasDecision: boolean
  /** Places that were left to be filled in: a title or a status counts twice. */
  placeholders: number
  frontMatter: boolean
}

export function parseAdr(source: string): ParsedAdr {
  const { text, cut } = bounded(source.replace(/^\uFEFF/, ''))
  const notes: Note[] = []
  if (cut) notes.push({ line: 1, message: 'too long: the end of the file was left out' })
  const front = readFrontMatter(text)
  notes.push(...front.notes)
  try {
    return readAdr(text, front, notes)
  } catch (error) {
    // nested deeper than the parser's stack, for example
    notes.push({ line: 1, message: `could not be read as Markdown: ${(error as Error).message.slice(0, 200)}` })
    const empty: AdrDocument = {
      text: text.slice(front.end),
      blocks: [],
      sections: [],
      title: null,
      definitions: new Map(),
      linesBefore: front.lines,
    }
    return assemble(empty, front, [], new Set(), [], notes)
  }
}

function readAdr(text: string, front: FrontMatter, notes: Note[]): ParsedAdr {
  const document = readDocument(text.slice(front.end), front.lines)
  const { fields, blocks } = readFields(document, front)
  return assemble(document, front, fields, blocks, readRelations(document, fields), notes)
}

function assemble(
  document: AdrDocument,
  front: FrontMatter,
  fields: Field[],
  metadata: ReadonlySet<number>,
  relations: Relation[],
  notes: Note[],
): ParsedAdr {
  const of = (kind: Field['kind']) => fields.filter((field) => field.kind === kind)
  const texts = (kind: Field['kind']) => of(kind).map((field) => field.source)
  const written = document.title?.source ?? of('title')[0]?.source
  const { title, number } = splitNumber(plainText(written ?? ''))
  const status = supersededIf(readStatus(fields), relations)
  const dates = [...of('date'), ...statusDates(fields), ...of('date_created'), ...of('date_changed')]
  const filled = dates.filter((field) => !isPlaceholder(field.source))
  const options = readOptions(document)
  const parts = readParts(document, metadata, fields, options)
  return {
    title: title === '' ? undefined : title,
    number: number ?? numberIn(front),
    status,
    dates: filled.map(({ source, line }) => ({ text: plainText(source.replace(/^\{(.*)\}$/s, '$1')), line })),
    deciders: namesIn(texts('deciders'), document),
    authors: namesIn(texts('authors'), document),
    tags: namesIn(texts('tags'), document),
    category: of('category')[0]?.source,
    significance: of('significance')[0]?.source,
    relations,
    options,
    drivers: driversOf(document),
    parts,
    signs: {
      hasStatus: status !== undefined,
      hasDate: filled.length > 0,
      sections: new Set(document.sections.map(({ kind }) => kind).filter((kind) => kind && tellingKinds.has(kind)))
        .size,
      hasDecision: document.sections.some(({ kind }) => kind === 'decision'),
      placeholders: placeholdersIn(fields) + (isTemplateTitle(written ?? '') ? 2 : 0),
      frontMatter: front.fields.size > 0,
    },
    notes,
  }
}

const tellingKinds: ReadonlySet<string> = new Set([
  'status',
  'context',
  'decision',
  'consequences',
  'options',
  'drivers',
  'deciders',
] satisfies (keyof typeof sectionWords)[])

/** `ADR-001: Title`, `1. Title`, `[ADR 1] Title`, `0001 - Title`, `003_Title` → the title and its number. */
export function splitNumber(text: string): { title: string; number: number | undefined } {
  const patterns = [
    /^\[?(?:(?:M?ADR|LADR|RFC|DR|EDR|TDR|PDR)|(?:architecture |architectural |design )?decision(?: record)?)[\s#№_-]*(\d{1,6})\]?\s*(?:[.:：)_–—-]+\s*|\s+|$)(.*)$/isu,
    /^\[?#?(\d{1,6})\]?\s*(?:[.:：)]\s+|\s+[–—-]+\s+|_+)(.*)$/su,
    /^(\d{3,6})[\s.:)-]+(\D.*)$/su,
    /^(\d{1,2})\s*(?:[、．])\s*(.*)$/su,
    /^ADR\s*[:：–—-]\s*()(.*)$/isu,
  ]
  for (const pattern of patterns) {
    const match = pattern.exec(text)
    if (match && (match[2] ?? '').trim() !== '') {
      return { title: (match[2] ?? '').trim(), number: match[1] === '' ? undefined : Number(match[1]) }
    }
  }
  return { title: text.trim(), number: undefined }
}

function numberIn(front: FrontMatter): number | undefined {
  for (const key of ['adr', 'id', 'number']) {
    const match = /^(?:ADR[\s_-]*)?(\d{1,6})$/i.exec(front.fields.get(wordKey(key))?.values[0] ?? '')
    if (match) return Number(match[1])
  }
  return undefined
}

/** `Accepted on 2020-01-01` says the date too. */
function statusDates(fields: readonly Field[]): Field[] {
  return fields.filter((field) => field.kind === 'status' && field.source.length < 200 && /\d{4}/.test(field.source))
}

/** A record that names its successor is superseded, though its status still says accepted or deprecated. */
function supersededIf(status: Status | undefined, relations: readonly Relation[]): Status | undefined {
  const successor = relations.find(({ kind }) => kind === 'superseded_by')
  if (!successor || status?.word === 'proposed' || status?.word === 'rejected') return status
  return { word: 'superseded', text: status?.text ?? successor.target.text, line: status?.line ?? successor.line }
}

function placeholdersIn(fields: readonly Field[]): number {
  const weight = { title: 2, status: 2, date: 1, deciders: 1 } as Partial<Record<Field['kind'], number>>
  return fields.reduce((sum, field) => sum + (isPlaceholder(field.source) ? (weight[field.kind] ?? 0) : 0), 0)
}

function isTemplateTitle(title: string): boolean {
  const text = title.replace(/^["'#\s\d.-]+|["'\s]+$/g, '')
  return (
    /^(?:\[.+\]|\{.+\}|<.+>)$/s.test(text) || /^(?:N{2,4}|X{2,4}|NUMBER|0000)[.:\s-]+\W*(?:TITLE|short)/i.test(title)
  )
}

/** Each section's text without the sections of another kind inside it; what no dictionary knows goes with its neighbours. */
function readParts(
  document: AdrDocument,
  metadata: ReadonlySet<number>,
  fields: readonly Field[],
  options: readonly Option[],
): Parts {
  const { sections, text } = document
  const pieces: Record<'context' | 'decision' | 'proposal' | 'rationale' | 'before' | 'after', string[]> = {
    context: [],
    decision: [],
    proposal: [],
    rationale: [],
    before: [],
    after: [],
  }
  const consequences: string[] = []
  const first = sections.find((section) => isOwn(section) && section.kind !== null)
  const decided = sections.find(
    (section) => isOwn(section) && (section.kind === 'decision' || section.kind === 'proposal'),
  )
  for (const section of sections) {
    if (!isOwn(section)) continue
    const inside = sections.filter((other) => isOwn(other) && other.start > section.start && other.start < section.end)
    const body = without(text, section.bodyStart, section.end, inside)
    if (body === '') continue
    const titled = `${'#'.repeat(Math.min(section.level, 6))} ${section.heading}\n\n${body}`
    if (section.kind === 'context') pieces.context.push(body)
    else if (section.kind === 'decision') pieces.decision.push(body)
    else if (section.kind === 'proposal') pieces.proposal.push(body)
    else if (section.kind === 'rationale') pieces.rationale.push(body)
    else if (section.kind === 'consequences')
      consequences.push(
        section.parent?.kind === 'decision' || section !== sections.find(({ kind }) => kind === 'consequences')
          ? titled
          : body,
      )
    else if (section.kind === 'links') pieces.after.push(titled)
    else if (section.kind === null) pieces[decided && section.start > decided.start ? 'after' : 'before'].push(titled)
    else if (section.kind === 'options' || section.kind === 'details')
      pieces.before.push(...untold(titled, body, options))
    else if (section.kind === 'status') pieces.rationale.push(...statusRemarks(fields))
  }
  const preamble = blocksBetween(document, document.title?.end ?? 0, sections[0]?.start ?? text.length, metadata)
  const structured = first !== undefined
  const join = (...lists: string[][]) =>
    lists
      .flat()
      .filter((piece) => piece !== '')
      .join('\n\n')
      .trim()
  const decision = join(pieces.decision.length > 0 ? pieces.decision : pieces.proposal)
  const proposals = pieces.decision.length > 0 ? pieces.proposal : []
  return {
    context: structured ? join([preamble], pieces.context, pieces.before) : '',
    decision,
    rationale: join(pieces.rationale),
    consequences: structured ? join(consequences, proposals, pieces.after) : '',
    whole: structured
      ? withoutMetadata(text, document)
      : join([preamble], [text.slice(sections[0]?.start ?? text.length)]),
  }
}

/** A section of options that says more than its options do, such as a table or running text. */
function untold(titled: string, body: string, options: readonly Option[]): string[] {
  const told = options.filter(({ title, text }) => body.includes(title) || (text !== '' && body.includes(text)))
  const length = told.reduce((sum, { title, text }) => sum + title.length + (body.includes(text) ? text.length : 0), 0)
  return length > body.length * 0.6 ? [] : [titled]
}

/** A section that stands for itself: not one inside another of its kind, nor of an option, and none of many levels. */
function isOwn(section: Section): boolean {
  const around = nearestKnown(section)
  if (section.kind === null) return around === null && (section.parent === null || section.parent.kind !== null)
  if (around === null) return true
  if (around.kind === section.kind) return false
  if (around.kind === 'options' || around.kind === 'details' || around.kind === 'links' || around.kind === 'proposal')
    return false
  return isOwn(around) && carvedIn[section.kind].includes(around.kind as string)
}

/** Which sections are taken out of which others around them. */
const carvedIn: Record<NonNullable<Section['kind']>, readonly string[]> = {
  status: ['metadata'],
  date: ['metadata', 'status'],
  deciders: ['metadata', 'status'],
  metadata: [],
  context: ['decision'],
  drivers: ['context', 'decision'],
  options: ['context', 'decision', 'drivers'],
  details: ['context', 'decision', 'consequences'],
  decision: ['context'],
  proposal: [],
  rationale: ['decision'],
  consequences: ['decision'],
  links: ['decision', 'context', 'consequences'],
}

function without(text: string, start: number, end: number, inside: readonly Section[]): string {
  let from = start
  let kept = ''
  for (const section of inside) {
    if (section.start < from) continue
    kept += text.slice(from, section.start)
    from = section.end
  }
  return clean(kept + text.slice(from, Math.max(from, end)))
}

/** Blocks above the first section that are no metadata: an introduction. */
function blocksBetween(document: AdrDocument, start: number, end: number, metadata: ReadonlySet<number>): string {
  const kept = document.blocks.filter((block) => {
    const [from, to] = span(block)
    if (
      from < start ||
      to > end ||
      block.type === 'html' ||
      block.type === 'definition' ||
      block.type === 'thematicBreak'
    )
      return false
    return ![...metadata].some((offset) => offset >= from && offset < to)
  })
  return clean(kept.map((block) => document.text.slice(...span(block))).join('\n\n'))
}

function withoutMetadata(text: string, document: AdrDocument): string {
  const apart = document.sections.filter(
    ({ kind }) => kind === 'status' || kind === 'date' || kind === 'deciders' || kind === 'metadata',
  )
  return without(text, document.title?.end ?? 0, text.length, apart)
}

/** A status section that says more than the status. */
function statusRemarks(fields: readonly Field[]): string[] {
  const lines = fields.filter(({ kind, from }) => kind === 'status' && from === 'section').map(({ source }) => source)
  const remarks = lines.join('\n').trim()
  return lines.length > 1 || remarks.length > 40 ? [`Status: ${remarks}`] : []
}

function driversOf(document: AdrDocument): string[] {
  return document.sections
    .filter((section) => section.kind === 'drivers' && isOwn(section))
    .flatMap((section) => {
      const lists = document.blocks.filter(
        (block) => block.type === 'list' && span(block)[0] >= section.bodyStart && span(block)[1] <= section.end,
      )
      if (lists.length === 0) return [clean(document.text.slice(section.bodyStart, section.end))]
      return lists.flatMap((list) =>
        list.type === 'list'
          ? list.children.map((item) =>
              clean(document.text.slice(...span(item)).replace(/^\s*(?:[-*+]|\d+[.)])\s+/, '')),
            )
          : [],
      )
    })
    .filter((text) => text !== '')
}

/** Without comments, rules at its ends and empty lines around it. */
function clean(text: string): string {
  return text
    .replace(/<!--[\s\S]*?-->/g, '')
    .replace(/^\s*(?:-{3,}|\*{3,})\s*\n|\n\s*(?:-{3,}|\*{3,})\s*$/g, '')
    .trim()
}
