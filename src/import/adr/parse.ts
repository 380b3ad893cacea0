/** Parses one file as a decision record. Never throws, whatever the text is. */

import type { OutcomeImportItem } from '../../decisions/outcome-input.ts'
import { isVisible } from '../../validation/schema.ts'
import { nameAnnounced } from './document/announced.ts'
import { unescaped, withPaths } from './document/clean.ts'
import type { sectionWords } from './document/dictionary.ts'
import { type AdrDocument, readDocument } from './document/document.ts'
import { type FrontMatter, readFrontMatter } from './document/front-matter.ts'
import { withFrontMatterFirst } from './document/front-matter-below.ts'
import { sectionsOfList } from './document/labelled-list.ts'
import { sectionsOfLabels } from './document/labelled-paragraphs.ts'
import { bounded, plainText } from './document/markdown.ts'
import { isInstruction, isPlaceholder, isTemplateName } from './document/placeholder.ts'
import { driversOf } from './drivers.ts'
import { isIndexPage } from './index-page.ts'
import type { Field } from './metadata/field-line.ts'
import { type FieldsRead, isStated, readFields } from './metadata/fields.ts'
import { namesIn } from './metadata/names.ts'
import { readStatus, type Status } from './metadata/status.ts'
import { type WrittenDate, writtenDates } from './metadata/written-dates.ts'
import { isBlank, type Option } from './options/names.ts'
import { readOptions } from './options/options.ts'
import { readOutcomes } from './outcomes.ts'
import { type Parts, readParts } from './parts.ts'
import { withoutRelation } from './relations/in-title.ts'
import type { Relation } from './relations/relation.ts'
import { readRelations } from './relations/relations.ts'
import { supersededIf } from './relations/superseded.ts'
import { atSourceLines } from './source-lines.ts'
import { hasTitle, isTemplateTitle, namesOnlyKind, numberIn, splitNumber, splitState, titleIn } from './title.ts'
import { readYStatement, type YStatement, yStatementOf } from './y-statement.ts'

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
  dates: WrittenDate[]
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
  /** If there is a section that says what was decided, only one with which it begins. */
  yStatement: YStatement | undefined
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
  /** Kinds of sections such as Rationale and Approach: typical of decisions, but of other texts too. */
  reasons: number
  /** Fields with a placeholder that nobody has filled in. */
  placeholders: Field['kind'][]
  /** Somebody wrote its title, context and decision. */
  isFilled: boolean
  /** The front matter states a known status and a date. */
  stated: boolean
  /** The front matter says that it is a decision record. */
  isTyped: boolean
  /** The file has the title of a template, and nobody wrote a decision in it. */
  isTemplate: boolean
  /** It has the title of an index, lists other records and has no decision section. */
  isIndex: boolean
  /** “This file is a backlog, not a decision record.” */
  saysItIsNone: boolean
}

/** `name`: the file name. A title may repeat its number: `# 10 Use one file`. */
export function parseAdr(source: string, name = ''): ParsedAdr {
  const { text, cut } = bounded(source.replace(/^\uFEFF/, ''))
  const moved = withFrontMatterFirst(text)
  return moved ? atSourceLines(parseBounded(moved.text, cut, name), moved.lines) : parseBounded(text, cut, name)
}

function parseBounded(text: string, cut: boolean, name: string): ParsedAdr {
  const list = sectionsOfList(text)
  const labelled = list ? undefined : sectionsOfLabels(text)
  const made = list ?? labelled
  if (!made) return parseText(text, cut, name)
  const adr = atSourceLines(parseText(made.text, cut, name), made.lines)
  return labelled && !labelled.isRecord ? { ...adr, signs: parseText(text, cut, name).signs } : adr
}

function parseText(text: string, cut: boolean, name: string): ParsedAdr {
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
    return assemble(empty, front, { fields: [], blocks: new Set(), inside: [], others: [] }, [], notes)
  }
}

function readAdr(text: string, front: FrontMatter, notes: Note[], name: string): ParsedAdr {
  const document = readDocument(withPaths(unescaped(text.slice(front.end))), front.lines, hasTitle(front))
  nameAnnounced(document)
  const read = readFields(document, front)
  const { number } = splitNumber(titleIn(document) ?? '', name)
  const ownNumbers = [...name.matchAll(/\d{1,5}/g)].map(([digits]) => Number(digits))
  if (number !== undefined) ownNumbers.push(number)
  return assemble(document, front, read, readRelations(document, read.fields, ownNumbers), notes, name)
}

function assemble(
  document: AdrDocument,
  front: FrontMatter,
  read: FieldsRead,
  relations: Relation[],
  notes: Note[],
  name = '',
): ParsedAdr {
  const { fields } = read
  const of = (kind: Field['kind']) => fields.filter((field) => field.kind === kind)
  const texts = (kind: Field['kind']) => of(kind).map((field) => field.source)
  const written = titleIn(document) ?? plainText(of('title')[0]?.source ?? front.comment ?? '')
  const { title: entitled, number } = splitNumber(withoutMarks(written), name)
  const stated = readStatus(fields)
  const { title, state } = splitState(withoutRelation(entitled), stated !== undefined)
  const inTitle = state === undefined ? [] : [{ kind: 'status', source: state, line: document.title?.line ?? 1 }]
  const status = supersededIf(readStatus([...fields, ...inTitle]), relations, of('superseded_by'))
  const told = readOutcomes(document, front, status)
  notes.push(...told.notes)
  const dates = writtenDates(document, fields, status)
  const { options, cut } = readOptions(document)
  if (cut) notes.push({ line: 1, message: 'too many options: some were left out of the alternatives' })
  const parts = readParts(document, read, options, status?.word)
  const yStatement = parts.decision === '' ? readYStatement(document) : yStatementOf(parts.decision)
  const hasDecision = yStatement !== undefined || document.sections.some(({ kind }) => kind === 'decision')
  // `# A Decision Record Template` may be left above a decision
  const isOfTemplate = number === undefined && isTemplateName(title, false)
  return {
    title:
      !isVisible(title) || isOfTemplate || isTemplateTitle(written ?? '') || namesOnlyKind(title) ? undefined : title,
    number: number ?? numberIn(front),
    status,
    dates,
    deciders: namesIn(texts('deciders'), document),
    authors: namesIn(texts('authors'), document),
    tags: namesIn(texts('tags'), document),
    category: of('category')[0]?.source,
    significance: of('significance')[0]?.source,
    relations,
    options: options.filter((option) => !isBlank(option)),
    drivers: driversOf(document),
    parts,
    yStatement,
    outcomes: told.outcomes,
    signs: {
      // `Ideas for the lobby (draft)` may be the title of any page
      hasStatus: status !== undefined && (stated !== undefined || status.word !== 'proposed'),
      hasDate: dates.length > 0,
      sections: new Set(document.sections.map(({ kind }) => kind).filter((kind) => kind && tellingKinds.has(kind)))
        .size,
      reasons: new Set(document.sections.map(({ kind }) => kind).filter((kind) => reasonKinds.has(kind ?? ''))).size,
      hasDecision,
      placeholders: [...(isTemplateTitle(written ?? '') ? ['title' as const] : []), ...placeholdersIn(fields)],
      isFilled:
        title !== '' &&
        !isOfTemplate &&
        !isTemplateTitle(written ?? '') &&
        (isFilled(parts) ||
          (parts.context !== '' && !isInstruction(parts.context) && options.some((option) => !isBlank(option)))),
      stated: isStated(fields, status),
      isTyped: /^(?:[ml]?adr|(?:architectur(?:e|al) )?decision(?: record)?)$/i.test(
        front.fields.get('type')?.values[0] ?? '',
      ),
      isTemplate: isOfTemplate && !isFilled(parts),
      isIndex: !hasDecision && isIndexPage(document, title),
      saysItIsNone: !hasDecision && noRecord.test(document.text),
    },
    notes,
  }
}

/** Without struck words, and without an id such as `{#adr-6}`. */
const withoutMarks = (title: string) => title.replace(/~~[^~]*~~/g, '').replace(/\s*\{[#.][^{}]*\}\s*$/, '')

/** Whether somebody replaced the instructions of a template. */
const isFilled = ({ context, decision }: Parts) =>
  [context, decision].every((text) => text !== '' && !isInstruction(text))

const noRecord =
  /\bthis (?:file|document|page|is)\b[^.!?]{0,200}\bnot an? (?:(?:architecture|architectural) )?(?:decision record|adr(?![\s#-]*\d))\b/i

const tellingKinds: ReadonlySet<string> = new Set([
  'status',
  'context',
  'decision',
  'consequences',
  'options',
  'deciders',
] satisfies (keyof typeof sectionWords)[])

const reasonKinds: ReadonlySet<string> = new Set(['rationale', 'proposal'])

const telling: ReadonlySet<Field['kind']> = new Set(['title', 'status', 'date', 'deciders'])

function placeholdersIn(fields: readonly Field[]): Field['kind'][] {
  return fields.filter(({ kind, source }) => telling.has(kind) && isPlaceholder(source)).map(({ kind }) => kind)
}
