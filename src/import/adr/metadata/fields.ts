/** Reads the metadata of one record from front matter, lines such as `* Status: accepted`, tables and sections. */

import type { FieldKind, SectionKind } from '../document/dictionary.ts'
import { type AdrDocument, blocksIn, ownEnd } from '../document/document.ts'
import type { FrontMatter } from '../document/front-matter.ts'
import { nearestKnown } from '../document/headings.ts'
import { lineOf, span } from '../document/markdown.ts'
import { isPlaceholder } from '../document/placeholder.ts'
import { type Unit, unitsBetween } from '../document/units.ts'
import { findDate } from './dates.ts'
import { examplesIn } from './examples.ts'
import {
  dateKinds,
  eventStatus,
  type Field,
  fieldOf,
  fieldsOfLine,
  relationKinds,
  startsWithLabel,
  telling,
} from './field-line.ts'
import { frontFields } from './front-fields.ts'
import { withLabelOfList } from './label-above-list.ts'
import { bareStatus, scattered } from './scattered.ts'
import { statusAtStart } from './status.ts'

const sectionFields: Partial<Record<SectionKind, FieldKind>> = { status: 'status', date: 'date', deciders: 'deciders' }
/** Lines of one place that are searched for metadata. */
const mostUnits = 200

export interface FieldsRead {
  /** The most reliable first: front matter, lines, sections. */
  fields: Field[]
  /** Offsets of metadata blocks. */
  blocks: Set<number>
  /** Tables and lists of metadata below a heading. */
  inside: Span[]
  /** Lines of the metadata with a label that is not known, such as `Disposition: …`. */
  others: string[]
}

export interface Span {
  start: number
  end: number
}

export function readFields(document: AdrDocument, front: FrontMatter): FieldsRead {
  const fields: Field[] = [...frontFields(front)]
  const blocks = new Set<number>()
  const inside = metadataBelowHeadings(document)
  const fenced = fencedMetadata(document)
  fields.push(...fenced.fields)
  if (fenced.span) {
    blocks.add(fenced.span.start)
    inside.push(fenced.span)
  }
  const places = [{ start: 0, end: document.sections[0]?.start ?? document.text.length }, ...inside]
  for (const section of document.sections) {
    if (section.kind === 'metadata') places.push({ start: section.bodyStart, end: section.end })
  }
  for (const { start, end } of places) {
    let open: { field: Field; offset: number } | undefined
    for (const unit of unitsBetween(document, start, end).slice(0, mostUnits).flatMap(fieldsOfLine)) {
      const field = fieldOf(unit)
      if (field) {
        if (relationKinds.has(field.kind)) field.told = unit.source
        fields.push(field)
        blocks.add(unit.offset)
        open = { field, offset: unit.offset }
        fields.push(...eventStatus(field, unit))
      } else if (open?.field.kind === 'status' && /^\[ \]/.test(unit.source)) {
        // a box of `Status:` that is not ticked
        blocks.add(unit.offset)
      } else if (open && belongsTo(open, unit)) {
        if (!continuesLine(open, unit)) open.field.listed = true
        open.field.source = `${open.field.source}\n${unit.source}`.trim()
        if (open.field.told !== undefined) open.field.told += `\n${unit.source}`
        blocks.add(unit.offset)
      } else open = undefined
    }
  }
  for (const section of document.sections) {
    const kind = section.kind && sectionFields[section.kind]
    if (!kind || nearestKnown(section)) continue
    const beside = /(?:[:：]|\s[-–—])\s*(\S.*)$/su.exec(section.heading)?.[1]
    if (beside !== undefined) fields.push({ kind, source: beside, line: section.line, from: 'section' })
    const units = withLabelOfList(unitsBetween(document, section.bodyStart, ownEnd(document, section)))
    const examples = examplesIn(document.text, units)
    for (const unit of units) {
      const { source, line, continues } = unit
      const named = fieldOf(unit)
      const open = fields.at(-1)
      if (open && continues && relationKinds.has(open.kind) && isUnfinished.test(open.source)) {
        const rest = restAfter(source)
        open.source += `\n${rest === undefined ? source : source.slice(0, -rest.length)}`
        if (rest !== undefined) fields.push({ kind, source: rest, line, from: 'section', continues })
      } else if (examples.has(unit)) fields.push({ kind: 'other', source, line, from: 'section', continues })
      else if (named && named.kind !== 'other' && named.kind !== kind) {
        const told = relationKinds.has(named.kind) ? { told: source } : {}
        fields.push({ ...named, ...told, from: 'section' }, ...eventStatus(named, unit))
        // `Replaces ADR 7. Accepted on 2024-01-02`
        const rest = restAfter(source)
        if (rest !== undefined && relationKinds.has(named.kind))
          fields.push({ kind, source: rest, line, from: 'section' })
      } else
        fields.push({ kind, source: named?.kind === kind ? named.source : source, line, from: 'section', continues })
    }
  }
  const bare = fields.some(({ kind }) => kind === 'status') ? undefined : bareStatus(document)
  if (bare) {
    fields.push({ kind: 'status', source: bare.source, line: bare.line, from: 'line' })
    blocks.add(bare.offset)
  }
  fields.push(...scattered(document, fields))
  const others = otherLines(document, blocks, inside)
  return { fields, blocks, inside, others }
}

/** Lines of a list, table or paragraph of metadata that have a label which is not known. */
function otherLines(document: AdrDocument, blocks: ReadonlySet<number>, inside: readonly Span[]): string[] {
  const end = document.sections[0]?.start ?? document.text.length
  const offsets = [...blocks].filter((offset) => offset < end)
  const above = blocksIn(document, document.title?.end ?? 0, end).filter((block) => {
    const [from, to] = span(block)
    return block.type !== 'code' && block.type !== 'blockquote' && offsets.some((at) => at >= from && at < to)
  })
  const spans = [...above.map((block) => span(block)), ...inside.map(({ start, end }) => [start, end] as const)]
  const units = spans.flatMap(([from, to]) => unitsBetween(document, from, to)).slice(0, mostUnits)
  let isOpen = false
  return units
    .flatMap(fieldsOfLine)
    .reduce<string[][]>((found, unit) => {
      const label =
        /^[^\p{L}\p{N}[]{0,6}(\p{L}[\p{L}\p{N} /'’._-]{1,40}?)[*_`]{0,3}\s*[:：][*_`]{0,3}\s*(\S.*)$/su.exec(
          unit.source,
        )
      const isOther =
        label !== null &&
        unit.line !== document.title?.line &&
        fieldOf(unit) === undefined &&
        !headOfTable.test(label[1] ?? '')
      if (isOther && !isPlaceholder(label[2] ?? '')) found.push([unit.source.replace(/\s*<!--.*?-->/gs, '')])
      else if (isOpen && unit.continues && fieldOf(unit) === undefined) found.at(-1)?.push(unit.source)
      isOpen = isOther || (isOpen && unit.continues)
      return found
    }, [])
    .map((lines) => lines.join('\n'))
}

/** `Supersedes ADR 3 and`, at the end of a line. */
const isUnfinished = /(?:[,&、]|(?<!\p{L})(?:and|und|et|y|e))\s*$/iu

const headOfTable = /^(?:field|key|attribute|property|item|name|metadata|meta|feld|champ|campo|https?)$/i

/** What follows the first sentence; undefined: nothing. The full stop in the text of a link, such as `[2. A lock]`, ends no sentence. */
function restAfter(source: string): string | undefined {
  const withoutLinks = source.replace(/\[[^[\]]*\]/g, (text) => '-'.repeat(text.length))
  const end = /[.;]\s+(?=\p{Lu})/u.exec(withoutLinks)
  return end === null ? undefined : source.slice(end.index + end[0].length)
}

/** A code block of `key: value` lines below the title or the first heading, with a status or a date that is one. */
function fencedMetadata(document: AdrDocument): { fields: Field[]; span?: Span } {
  const [first] = document.sections
  const places = [
    { start: document.title?.end ?? 0, end: first?.start ?? document.text.length },
    ...(first && leadKinds.has(first.kind) ? [{ start: first.bodyStart, end: ownEnd(document, first) }] : []),
  ]
  for (const { start, end } of places) {
    const block = blocksIn(document, start, end).find(({ type }) => type !== 'heading' && type !== 'html')
    if (block?.type !== 'code' || !/^(?:ya?ml|text|txt|toml)?$/i.test(block.lang ?? '')) continue
    const [from, to] = span(block)
    const lines = block.value.split('\n').slice(0, mostUnits)
    const fields = lines.flatMap((source, at): Field[] => {
      const line = lineOf(block, document.linesBefore) + 1 + at
      const field = fieldOf({ source, line, offset: from, continues: false })
      return field ? [{ ...field, source: field.source.replace(/^(["'])(.*)\1$/, '$2') }] : []
    })
    const tells = fields.some(({ kind, source }) =>
      kind === 'status' ? statusAtStart(source) !== undefined : telling.has(kind) && findDate(source) !== undefined,
    )
    const labelled = lines.filter((source) => /^\s*[\p{L}][^:=]{0,40}[:=]/u.test(source)).length
    if (tells && labelled * 2 > lines.length) return { fields, span: { start: from, end: to } }
  }
  return { fields: [] }
}

/** Sections at the beginning whose first block may hold metadata. */
const mostLeads = 3

/**
 * A table or list of metadata directly below one of the first headings, such as `## Proposal: use one file`. A table of
 * names and values is metadata if it has a status and a date, even if its other rows are unknown.
 */
function metadataBelowHeadings(document: AdrDocument): Span[] {
  return document.sections.slice(0, mostLeads).flatMap((section) => {
    const [block] = blocksIn(document, section.bodyStart, ownEnd(document, section))
    if (!block || !leadKinds.has(section.kind) || !['table', 'list', 'paragraph'].includes(block.type)) return []
    const [start, end] = span(block)
    const units = unitsBetween(document, start, end).slice(0, mostUnits)
    const found = units.flatMap((unit) => fieldOf(unit)?.kind ?? [])
    const tells = new Set(found.filter((kind) => telling.has(kind)))
    const hasTwoColumns = block.type === 'table' && block.children[0]?.children.length === 2
    const isMostly = found.length > 1 && found.length > units.length / 2
    return (isMostly && tells.size > 0) || (hasTwoColumns && tells.size > 1) ? [{ start, end }] : []
  })
}

const leadKinds: ReadonlySet<SectionKind | null> = new Set([null, 'proposal', 'context', 'decision'])

/** Whether a line continues the field above it, or is in the list below its label: `Supersedes:` and two links. */
function belongsTo(open: { field: Field; offset: number }, unit: Unit): boolean {
  // a label that is not known
  if (startsWithLabel(unit)) return false
  if (relationKinds.has(open.field.kind) && /^\p{Lu}[\p{L} -]{1,30}:\s/u.test(unit.source)) return false
  if (continuesLine(open, unit)) return true
  const isList = open.field.source === '' || open.field.listed === true
  const mayBeListed =
    relationKinds.has(open.field.kind) || open.field.kind === 'deciders' || open.field.kind === 'status'
  return isList && mayBeListed && unit.source.length < 300
}

function continuesLine(open: { offset: number }, unit: Unit): boolean {
  return unit.continues && unit.offset === open.offset
}

/** Whether the front matter states a known status and a date. */
export function isStated(fields: readonly Field[], status: { word: string } | undefined): boolean {
  const front = fields.filter(({ from }) => from === 'front matter')
  const isDated = front.some(({ kind, source }) => dateKinds.has(kind) && findDate(source) !== undefined)
  return isDated && front.some(({ kind }) => kind === 'status') && status !== undefined && status.word !== 'unknown'
}
