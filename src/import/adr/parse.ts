/** Parses one file as a decision record. Never throws, whatever the text is. */

import type { OutcomeImportItem } from '../../decisions/outcome-input.ts'
import { type sectionWords, wordKey } from './document/dictionary.ts'
import { type AdrDocument, readDocument } from './document/document.ts'
import { type FrontMatter, readFrontMatter } from './document/front-matter.ts'
import { bounded, plainText } from './document/markdown.ts'
import { type Field, isPlaceholder, namesIn, readFields } from './fields.ts'
import type { Option } from './option-names.ts'
import { readOptions } from './options.ts'
import { readOutcomes } from './outcomes.ts'
import { driversOf, type Parts, readParts } from './parts.ts'
import { type Relation, readRelations } from './relations.ts'
import { readStatus, type Status } from './status.ts'

export interface Note {
  line: number
  message: string
}

export interface ParsedAdr {
  /** Without number and Markdown. undefined: the text has no title. */
  title: string | undefined
  /** The number before the title: 12 in `# ADR-012: …`. */
  number: number | undefined
  status: Status | undefined
  /** Texts that may contain its date, the most likely first. */
  dates: { text: string; line: number }[]
  deciders: string[]
  authors: string[]
  tags: string[]
  category: string | undefined
  significance: string | undefined
  relations: Relation[]
  options: Option[]
  drivers: string[]
  /** Markdown by kind of section. */
  parts: Parts
  /** How it worked out. */
  outcomes: OutcomeImportItem[]
  /** Evidence for and against it being a decision record. */
  signs: Signs
  notes: Note[]
}

export interface Signs {
  hasStatus: boolean
  hasDate: boolean
  /** The number of kinds of sections that are typical of decision records. */
  sections: number
  hasDecision: boolean
  /** Placeholders that nobody has filled in. A title or status counts twice. */
  placeholders: number
  frontMatter: boolean
}

/** `name`: the file name. A title may repeat its number: `# 10 Use one file`. */
export function parseAdr(source: string, name = ''): ParsedAdr {
  const { text, cut } = bounded(source.replace(/^\uFEFF/, ''))
  const notes: Note[] = []
  if (cut) notes.push({ line: 1, message: 'too long: the end of the file was left out' })
  const front = readFrontMatter(text)
  notes.push(...front.notes)
  try {
    return readAdr(text, front, notes, name)
  } catch (error) {
    // for example, it is nested so deep that the parser runs out of stack
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

function readAdr(text: string, front: FrontMatter, notes: Note[], name: string): ParsedAdr {
  const document = readDocument(text.slice(front.end), front.lines)
  const { fields, blocks } = readFields(document, front)
  return assemble(document, front, fields, blocks, readRelations(document, fields), notes, name)
}

function assemble(
  document: AdrDocument,
  front: FrontMatter,
  fields: Field[],
  metadata: ReadonlySet<number>,
  relations: Relation[],
  notes: Note[],
  name = '',
): ParsedAdr {
  const of = (kind: Field['kind']) => fields.filter((field) => field.kind === kind)
  const texts = (kind: Field['kind']) => of(kind).map((field) => field.source)
  const written = document.title?.source ?? of('title')[0]?.source ?? front.comment
  const { title, number } = splitNumber(plainText(written ?? ''), name)
  const status = supersededIf(readStatus(fields), relations)
  const told = readOutcomes(document, front, status)
  notes.push(...told.notes)
  const dates = [...of('date'), ...statusDates(fields, status), ...of('date_created'), ...of('date_changed')]
  const filled = dates.filter((field) => !isPlaceholder(field.source))
  const { options, cut } = readOptions(document)
  if (cut) notes.push({ line: 1, message: 'too many options: some were left out of the alternatives' })
  const parts = readParts(document, metadata, fields, options)
  return {
    title: title === '' || isTemplateTitle(written ?? '') ? undefined : title,
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
    outcomes: told.outcomes,
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

/** Splits `ADR-001: Title`, `1. Title`, `[ADR 1] Title`, `0001 - Title` or `003_Title` into title and number. */
export function splitNumber(text: string, name = ''): { title: string; number: number | undefined } {
  const bare = /^(\d{1,6})\s+(\p{L}.*)$/su.exec(text)
  const coded = /^[A-Z]{2,5}[- ]?(\d{1,6})\s*(?:[:：]|\s[–—-]\s)\s*(.+)$/su.exec(text)
  const inName = Number(/(?<!\d)\d{1,6}(?!\d)/.exec(name)?.[0])
  // one less than in the file name: the heading was copied from the record before
  if (bare && (Number(bare[1]) === inName || (inName > 10 && Number(bare[1]) === inName - 1))) {
    return { title: (bare[2] ?? '').trim(), number: Number(bare[1]) }
  }
  if (coded && Number(coded[1]) === inName) return { title: (coded[2] ?? '').trim(), number: inName }
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

/** Status lines with a date, such as `Accepted on 2020-01-01`. The line of the current status comes first. */
function statusDates(fields: readonly Field[], status: Status | undefined): Field[] {
  const dated = fields.filter(
    (field) => field.kind === 'status' && field.source.length < 200 && /\d{4}/.test(field.source),
  )
  return [...dated.filter(({ line }) => line === status?.line), ...dated]
}

/** A record that names its successor is superseded, even if its status still says accepted or deprecated. */
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
