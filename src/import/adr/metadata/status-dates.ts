/** Reads the date of a decision from its status. */

import { plainText } from '../document/markdown.ts'
import { findDate } from './dates.ts'
import type { Field } from './field-line.ts'
import { type Status, statusAtStart } from './status.ts'

/**
 * Status lines with a date, such as `Accepted on 2020-01-01`. The event that gave the current status comes first. For an
 * ended record, and for one that was withdrawn later, it is its acceptance: the day on which a record was superseded is not
 * the day of the decision.
 */
export function statusDates(fields: readonly Field[], status: Status | undefined): Field[] {
  const dated = fields.map(withoutRemarks).filter((field, at) => {
    const year = /(?<![\p{L}\d][-_#]?)(?:19|20)\d{2}(?!\d)/u.exec(field.source)
    if (field.kind !== 'status' || field.source.length > longest || !year) return false
    const above = field.continues ? `${fields[at - 1]?.source ?? ''} ` : ''
    return !isOfAnother(above + field.source.slice(0, year.index))
  })
  const all = dated.flatMap((field) =>
    plainText(field.source)
      .split(nextEvent)
      .filter((source) => findDate(source) !== undefined)
      .map((source) => ({ ...field, source })),
  )
  const accepted = all.filter(({ source }) => wordOf(source) === 'accepted')
  const isEnded = isEnd(status?.word) || (status?.word === 'rejected' && accepted.length > 0)
  const events = isEnded ? accepted : all.filter(({ source }) => wordOf(source) === status?.word)
  const lasting = dated.filter(({ source }) => !isEnd(wordOf(plainText(source))))
  const told = [...events, ...lasting]
  return [...told.filter(({ line }) => line === status?.line), ...told]
}

const isEnd = (word: string | undefined) => word === 'superseded' || word === 'deprecated'

/** Also of `2021-05-01: Accepted`. */
const wordOf = (source: string) => statusAtStart(source.replace(/^[\P{L}]+/u, ''))?.word

/** In `Proposed 2021-04-01, accepted 2021-05-01`. */
const nextEvent = /\s*(?:[,;.·|(（→⇒]|[-=]>|\s(?:and|then)\s)\s*(?=\p{L}|(?:19|20)\d\d-)/u

/** Cuts a long status that begins with the day of acceptance after that day. */
function withoutRemarks(field: Field): Field {
  const begin = field.kind === 'status' && field.source.length > longest ? acceptedOn.exec(field.source) : null
  return begin && !/\p{L}/u.test(field.source.slice(0, begin.index)) ? { ...field, source: begin[0] } : field
}

/** UTF-16 units. A longer status tells a story, so a date in it need not be that of the decision. */
const longest = 200
/** Words before the date of a status, such as `Accepted by the whole team on`. */
const mostWords = 6
/** A status word that stands further away from the date is not about it. */
const mostBetween = 20

/** “Accepted. Formalizes a habit that ADR 2 first wrote down on” begins with a status, but the date is of another event. */
function isOfAnother(before: string): boolean {
  const words = (
    plainText(before)
      .split(/[.;]\s/)
      .at(-1) ?? ''
  )
    .split(/\s+/)
    .filter((word) => /\p{L}/u.test(word))
  return (
    words.length > mostWords &&
    !words.slice(-mostBetween).some((_, at, near) => statusAtStart(near.slice(at).join(' ')))
  )
}

const acceptedOn = /\b(?:accepted|approved|adopted|agreed|decided)(?: on)?[:,]? \(?(?:19|20)\d\d-\d\d-\d\d/i

/**
 * The dates, those that are the day of the end marked as changes: if the status says “Superseded by ADR 11 (2024-05-06)”,
 * `date: 2024-05-06` in the front matter is the day of the last change.
 */
export function withoutEnd(dates: readonly Field[], fields: readonly Field[]): Field[] {
  const ends = fields.filter(({ kind, source }) => {
    const word = kind === 'status' || kind === 'superseded_by' ? statusAtStart(plainText(source))?.word : undefined
    return kind === 'superseded_by' || isEnd(word)
  })
  const days = new Set(ends.flatMap(({ source }) => findDate(source)?.iso ?? []))
  return dates.map((field) => {
    const isOfEnd = field.from === 'front matter' && days.has(findDate(field.source)?.iso ?? '')
    return isOfEnd ? { ...field, kind: 'date_changed' } : field
  })
}
