/** Reads the metadata of one record from front matter, lines such as `* Status: accepted`, tables and sections. */

import { findDate } from './dates.ts'
import { byWord, type FieldKind, fieldWords, type SectionKind, wordKey } from './document/dictionary.ts'
import { type AdrDocument, ownEnd } from './document/document.ts'
import type { FrontMatter } from './document/front-matter.ts'
import type { Section } from './document/headings.ts'
import { parseInline, plainText } from './document/markdown.ts'
import { type Unit, unitsBetween } from './document/units.ts'

export interface Field {
  kind: FieldKind
  /** The value in Markdown. A section gives one field for each line. */
  source: string
  line: number
  from: 'front matter' | 'line' | 'section'
  /** It continues the paragraph of the field before it. */
  continues?: boolean
  /** The value is the list below the label. */
  listed?: boolean
}

const labels = byWord(fieldWords)
const sectionFields: Partial<Record<SectionKind, FieldKind>> = { status: 'status', date: 'date', deciders: 'deciders' }
/** Lines of one place that are searched for metadata. */
const mostUnits = 200

/** All fields, the most reliable first: front matter, lines, sections. `blocks`: offsets of metadata blocks. */
export function readFields(document: AdrDocument, front: FrontMatter): { fields: Field[]; blocks: Set<number> } {
  const fields: Field[] = [...frontFields(front)]
  const blocks = new Set<number>()
  const places = [{ start: 0, end: document.sections[0]?.start ?? document.text.length }]
  for (const section of document.sections) {
    if (section.kind === 'metadata') places.push({ start: section.bodyStart, end: section.end })
  }
  for (const { start, end } of places) {
    let open: { field: Field; offset: number } | undefined
    for (const unit of unitsBetween(document, start, end).slice(0, mostUnits).flatMap(fieldsOfLine)) {
      const field = fieldOf(unit)
      if (field) {
        fields.push(field)
        blocks.add(unit.offset)
        open = { field, offset: unit.offset }
      } else if (open && belongsTo(open, unit)) {
        if (!continuesLine(open, unit)) open.field.listed = true
        open.field.source = `${open.field.source}\n${unit.source}`.trim()
        blocks.add(unit.offset)
      } else open = undefined
    }
  }
  for (const section of document.sections) {
    const kind = section.kind && sectionFields[section.kind]
    if (!kind || nearestKnown(section)) continue
    for (const unit of unitsBetween(document, section.bodyStart, ownEnd(document, section))) {
      const { source, line, continues } = unit
      const named = fieldOf(unit)
      if (named && named.kind !== 'other' && named.kind !== kind) fields.push({ ...named, from: 'section' })
      else fields.push({ kind, source: named?.kind === kind ? named.source : source, line, from: 'section', continues })
    }
  }
  return { fields, blocks }
}

/** Splits a line with several fields, such as `**Status:** accepted · **Date:** 2024-01-02`. */
function fieldsOfLine(unit: Unit): Unit[] {
  const cuts = [...unit.source.matchAll(nextLabel)].filter((match) => labels.has(wordKey(match[1] ?? '')))
  if (cuts.length === 0 || !fieldOf(unit)) return [unit]
  const starts = [0, ...cuts.map((match) => match.index)]
  return starts.map((start, at) => {
    const source = unit.source
      .slice(start, starts[at + 1])
      .replace(/^\s*[·•|;,.]?\s+/u, '')
      .trim()
    return { ...unit, source, continues: unit.continues && at === 0 }
  })
}

const nextLabel = /(?:\s+[·•|]\s+|[;,.]?\s+(?=\*\*|__))[*_]{0,2}(\p{L}[\p{L}\p{N} -]{1,24}?)[*_]{0,2}\s*[:：]/gu

/** Whether a line continues the field above it, or is in the list below its label: `Supersedes:` and two links. */
function belongsTo(open: { field: Field; offset: number }, unit: Unit): boolean {
  if (continuesLine(open, unit)) return true
  const isList = open.field.source === '' || open.field.listed === true
  const mayBeListed = relationKinds.has(open.field.kind) || open.field.kind === 'deciders'
  return isList && mayBeListed && unit.source.length < 300
}

function continuesLine(open: { offset: number }, unit: Unit): boolean {
  return unit.continues && unit.offset === open.offset
}

/** The nearest enclosing section with a known heading. */
export function nearestKnown(section: Section): Section | null {
  let parent = section.parent
  while (parent !== null && parent.kind === null) parent = parent.parent
  return parent
}

function frontFields(front: FrontMatter): Field[] {
  const fields: Field[] = []
  for (const [key, { values, line }] of front.fields) {
    const kind = labels.get(key)
    if (!kind) continue
    for (const source of values) fields.push({ kind, source, line, from: 'front matter' })
  }
  return fields
}

/** `**Status**: accepted`, `Status - accepted`, `Date 09/04/2018`. */
function fieldOf(unit: Unit): Field | undefined {
  const bare = unit.source.replace(/^\s*\[[ xX]\]\s*/, '')
  const match =
    /^[^\p{L}\p{N}[]{0,6}([\p{L}][\p{L}\p{N} /'’._-]{0,40}?)[*_`]{0,3}\s*(?:[:：=]|\s[-–—]\s)[*_`]{0,3}\s*(.*)$/su.exec(
      bare,
    )
  const label = match && labels.get(wordKey(match[1] ?? ''))
  if (label) return { kind: label, source: (match[2] ?? '').trim(), line: unit.line, from: 'line' }
  const spaced = /^[*_]{0,3}(\p{L}{3,12})[*_]{0,3}\s+[*_]{0,3}(\S.*)$/su.exec(bare)
  const kind = spaced && labels.get(wordKey(spaced[1] ?? ''))
  const rest = (spaced?.[2] ?? '').trim()
  if (kind === 'date' && findDate(rest) && rest.length < 30)
    return { kind, source: rest, line: unit.line, from: 'line' }
  // `| Supersedes [ADR 5](…) |` on a line of its own
  const relation = /^[^\p{L}[]{0,6}([\p{L} ]{4,30}?)[*_]{0,3}\s+(?=\[|ADR|#?\d)(.*)$/su.exec(bare)
  const related = relation && labels.get(wordKey(relation[1] ?? ''))
  return related && relationKinds.has(related)
    ? { kind: related, source: (relation[2] ?? '').trim(), line: unit.line, from: 'line' }
    : undefined
}

const relationKinds: ReadonlySet<FieldKind> = new Set(['supersedes', 'superseded_by', 'amends', 'amended_by'])

/** Names of people, separated by commas, semicolons, `and` or line breaks. Ignores a template's `[list everyone …]`. */
export function namesIn(sources: readonly string[], document: AdrDocument): string[] {
  const names = sources
    .filter((source) => !isPlaceholder(source))
    .flatMap((source) =>
      parseInline(source.replace(/^\{(.*)\}$/s, '$1'), document.definitions).plain.split(
        /[,;、，；\n&]|\s(?:and|und|et|y|e|en|og|och)\s/u,
      ),
    )
    .map((name) =>
      name
        .replace(/\s+/gu, ' ')
        .replace(/^[\s*•–-]+|[\s.*]+$/gu, '')
        .trim(),
    )
    .filter((name) => name !== '' && !/^(?:n\/?a|none|tbd|-|\?+)$/i.test(name))
  return [...new Set(names)]
}

/** A placeholder of a template that was not filled in. */
export function isPlaceholder(source: string): boolean {
  const text = plainText(source)
    .replace(/^["']|["']$/g, '')
    .trim()
  // `proposed | accepted | rejected`
  if ((text.match(/\s\|\s/g)?.length ?? 0) > 1) return true
  return (
    /^(?:\[[^\]]*(?:\||…|\.\.\.|\s\w+\s\w+)[^\]]*\]|\{[^}]*(?:\||…|\.\.\.|\s\w+\s\w+\s)[^}]*\}|<[^>]+>)(?:\s|$)/su.test(
      text,
    ) || /\bYYYY\b|\bJJJJ\b|\bAAAA\b/.test(text)
  )
}
