/** Finds a status or a date that stands where metadata is not expected. */
import type { SectionKind } from '../document/dictionary.ts'
import type { AdrDocument } from '../document/document.ts'
import { plainText } from '../document/markdown.ts'
import { type Unit, unitsBetween } from '../document/units.ts'
import { findDate } from './dates.ts'
import { type Field, fieldOf, fieldsOfLine, telling } from './field-line.ts'
import { isStatus, statusAtStart } from './status.ts'

/** Without a status or a date where they are expected: lines such as `Status: accepted` anywhere else. */
export function scattered(document: AdrDocument, fields: readonly Field[]): Field[] {
  const dated = fields.filter(({ kind, source }) => telling.has(kind) && findDate(source) !== undefined)
  // the day of the last change does not tell the day of the decision
  const hasDate = dated.some(({ kind }) => kind !== 'date_changed')
  const hasStatus = fields.some(({ kind }) => kind === 'status')
  if (hasDate && hasStatus) return []
  const apart = document.sections.filter(({ kind }) => kind !== null && elsewhere.has(kind))
  const units = unitsBetween(document, 0, document.text.length).slice(0, mostScattered)
  return units.flatMap(fieldsOfLine).flatMap((unit) => {
    const field = unit.quoted ? undefined : fieldOf(unit)
    if (!field || !telling.has(field.kind) || field.source.length > 60) return []
    if (apart.some(({ start, end }) => unit.offset >= start && unit.offset < end)) return []
    // a column of a table may be named Status too
    if (field.kind === 'status')
      return hasStatus || field.source.includes('`') || !statusAtStart(plainText(field.source)) ? [] : [field]
    const isKnown = hasDate || (field.kind === 'date_changed' && dated.length > 0)
    return isKnown || findDate(field.source) === undefined ? [] : [field]
  })
}

const mostScattered = 2000
const elsewhere: ReadonlySet<SectionKind> = new Set(['options', 'details', 'option', 'history', 'outcome', 'status'])

/**
 * A line above the first section that is only a status, in a list, in bold or in italics, as `* **Accepted**`, or one that
 * begins with a status and has its day.
 */
export function bareStatus(document: AdrDocument): Unit | undefined {
  const units = unitsBetween(document, document.title?.end ?? 0, document.sections[0]?.start ?? document.text.length)
  return units.slice(0, mostInHead).find(({ source, lists, quoted }) => {
    const isSet = lists !== undefined || /^([*_]{1,3})[^*_]+\1$/.test(source) || findDate(source) !== undefined
    return isSet && quoted !== true && isStatus(plainText(source))
  })
}

/** Lines above the first section that are searched. */
const mostInHead = 200
