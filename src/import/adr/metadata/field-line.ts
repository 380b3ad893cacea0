/** Reads the metadata of one line, such as `* Status: accepted`. */

import { byWord, type FieldKind, fieldWords, wordKey } from '../document/dictionary.ts'
import type { Unit } from '../document/units.ts'
import { findDate } from './dates.ts'

export interface Field {
  kind: FieldKind
  /** The value in Markdown. A section gives one field for each line. */
  source: string
  line: number
  from: 'front matter' | 'line' | 'section'
  /** It continues the paragraph of the field before it. */
  continues?: boolean
  /** Of a relation: all that its lines say. */
  told?: string
  /** The value is the list below the label. */
  listed?: boolean
}

export const labels = byWord(fieldWords)
export const dateKinds: ReadonlySet<FieldKind> = new Set(['date', 'date_created', 'date_changed'])
export const telling: ReadonlySet<FieldKind> = new Set(['status', ...dateKinds])
export const relationKinds: ReadonlySet<FieldKind> = new Set(['supersedes', 'superseded_by', 'amends', 'amended_by'])

/** `**Status**: accepted`, `Status - accepted`, `Date 09/04/2018`. */
export function fieldOf(unit: Unit): Field | undefined {
  const bare = unit.source.replace(/^\s*\[[ xX]\]\s*/, '')
  const match =
    /^[^\p{L}\p{N}[]{0,6}([\p{L}][\p{L}\p{N} /'’._-]{0,40}?)[*_`]{0,3}\s*(?:[:：=]|\s[-–—]\s)[*_`]{0,3}\s*(.*)$/su.exec(
      bare,
    )
  const isState =
    /^(?:superc?s?e+e?ded|deprecated|rejected|withdrawn|reverted|superseded in part by|part(?:ly|ially) superseded by)$/.test(
      wordKey(match?.[1] ?? ''),
    )
  if (isState && /\d|\[/.test(match?.[2] ?? '')) return { kind: 'status', source: bare, line: unit.line, from: 'line' }
  const label = match && labels.get(wordKey(match[1] ?? ''))
  // in `Accepted — without the queue`, the words after the dash are no date
  const isEvent = /^\p{L}+ed$/u.test(wordKey(match?.[1] ?? '')) && (label === 'date' || label === 'date_created')
  // the first row of a table
  const isHeader = label === 'date' && /^[^\d,]+(?:, [^\d,]+)+$/.test(match?.[2] ?? '')
  if (isHeader || (isEvent && !findDate(match?.[2] ?? ''))) return undefined
  if (label) return { kind: label, source: (match[2] ?? '').trim(), line: unit.line, from: 'line' }
  const spaced = /^[*_]{0,3}(\p{L}{3,12})[*_]{0,3}\s+[*_]{0,3}(\S.*)$/su.exec(bare)
  const kind = spaced && labels.get(wordKey(spaced[1] ?? ''))
  const rest = (spaced?.[2] ?? '').trim()
  if (kind === 'date' && findDate(rest) && rest.length < 30)
    return { kind, source: rest, line: unit.line, from: 'line' }
  // `| Supersedes [ADR 5](…) |` on a line of its own
  const relation = /^[^\p{L}[~]{0,6}([\p{L} ]{4,30}?)[*_]{0,3}\s+(?=\[|ADR|#?\d)(.*)$/su.exec(bare)
  const related = relation && labels.get(wordKey(relation[1] ?? ''))
  return related && relationKinds.has(related)
    ? { kind: related, source: (relation[2] ?? '').trim(), line: unit.line, from: 'line' }
    : undefined
}

/** Splits a line with several fields, such as `**Status:** accepted · **Date:** 2024-01-02`. */
export function fieldsOfLine(unit: Unit): Unit[] {
  const cuts = [...unit.source.matchAll(nextLabel)].filter((match) => labels.has(wordKey(match[1] ?? '')))
  if (cuts.length === 0 || !fieldOf({ ...unit, source: unit.source.slice(0, cuts[0]?.index) })) return [unit]
  const starts = [0, ...cuts.map((match) => match.index)]
  return starts.map((start, at) => {
    const source = unit.source
      .slice(start, starts[at + 1])
      .replace(/^\s*[·•|;,.]?\s+/u, '')
      .trim()
    return { ...unit, source, continues: unit.continues && at === 0 }
  })
}

const nextLabel =
  /(?:\s+[·•|]\s+|[;,.]?\s+(?=\*\*|__)|[.;]\s+(?=\p{Lu}))[*_]{0,2}(\p{L}[\p{L}\p{N} -]{1,24}?)[*_]{0,2}\s*[:：]/gu

/** `Accepted: 2024-01-02` is a status and a date. */
export function eventStatus(field: Field, { source }: Unit): Field[] {
  const isEvent = /^\W*(?:accepted|approved|adopted|agreed|ratified|proposed|submitted)\W/i.test(source)
  const isDate = field.kind === 'date' || field.kind === 'date_created'
  return isEvent && isDate && findDate(field.source) ? [{ ...field, kind: 'status', source }] : []
}

/** `**Depends on:** ADR 3`, with any label. */
export const startsWithLabel = ({ source }: Unit) =>
  /^(?:\*\*|__)\p{L}[^*_:：]{1,40}(?:[:：]\s*(?:\*\*|__)|(?:\*\*|__)\s*[:：])/u.test(source)
