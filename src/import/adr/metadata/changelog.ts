/** Reads dates without a label: of a changelog, and of a line that is only a date. */

import type { AdrDocument } from '../document/document.ts'
import { plainText } from '../document/markdown.ts'
import { unitsBetween } from '../document/units.ts'
import { findDate, isMonth } from './dates.ts'

export interface DatedLine {
  source: string
  line: number
  /** The last entry of the changelog by date: the first one if there are no others. */
  lastEntry?: string
}

/** Lines that are searched. */
const mostLines = 200

/** The first entry by date, whatever the order of the entries: the day on which the text was written. */
export function changelogDates(document: AdrDocument): DatedLine[] {
  const entries = document.sections
    .filter(({ kind }) => kind === 'history')
    .flatMap(({ heading, line, bodyStart, end }) => [
      { source: heading, line },
      ...unitsBetween(document, bodyStart, end).slice(0, mostLines),
    ])
    .flatMap(({ source, line }) => {
      const iso = findDate(source)?.iso
      return iso === undefined ? [] : [{ source, line, iso }]
    })
    .sort((a, b) => (a.iso < b.iso ? -1 : a.iso > b.iso ? 1 : 0))
  const lastEntry = entries.at(-1)?.source
  return entries
    .slice(0, 1)
    .map(({ source, line }) => ({ source, line, ...(lastEntry !== undefined && { lastEntry }) }))
}

/** No word but the name of a month. */
function isOnlyDate(source: string): boolean {
  const text = plainText(source).replace(/[年月日년월일]/gu, '')
  const match = /^\P{L}*(\p{L}{3,12})?\P{L}*(?:st|nd|rd|th)?\P{L}*$/u.exec(text)
  return match !== null && (match[1] === undefined || isMonth(match[1]))
}

/** A line above the first section that is only a date, such as `_3 March 2024_`, or a day in the title. */
export function datesAlone(document: AdrDocument): DatedLine[] {
  const start = document.title?.end ?? 0
  const lines = unitsBetween(document, start, document.sections[0]?.start ?? document.text.length)
    .slice(0, mostLines)
    .filter(({ source }) => isOnlyDate(source))
  const { title } = document
  // a month in a title is what the record is about: `Figures of May 2024`
  const named = title && findDate(title.source)?.dayUnknown === undefined ? [title] : []
  return [...lines, ...named]
    .filter(({ source }) => findDate(source) !== undefined)
    .map(({ source, line }) => ({ source, line }))
}
