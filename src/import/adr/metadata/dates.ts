/** Reads dates as people write them. A day without a time becomes its first instant in UTC. */
import { isoInstant } from '../../../validation/schema.ts'

export interface FoundDate {
  /** ISO 8601 with milliseconds. */
  iso: string
  /** The text gives only a month, or a day that does not exist (31 June): `iso` is the first day of the month. */
  dayUnknown?: true
  /** Day and month may be swapped, as in 05/02/2018. */
  eitherOrder?: true
}

const monthNames = [
  'jan|janvier|janeiro|enero|ene|gennaio|gen|january|januar|januari|stycznia|января|tammi',
  'feb|fev|fevrier|fevereiro|febrero|febbraio|february|februar|februari|lutego|февраля|helmi',
  'mar|mars|marzo|marco|march|marz|maart|marca|марта|maalis',
  'apr|avr|avril|abril|abr|aprile|april|kwietnia|апреля|huhti',
  'may|mai|mayo|maio|maggio|mag|mei|maja|maj|мая|touko',
  'jun|juin|junio|junho|giugno|giu|june|juni|czerwca|июня|kesa',
  'jul|juil|juillet|julio|julho|luglio|lug|july|juli|lipca|июля|heina',
  'aug|aout|agosto|ago|august|augustus|augusti|sierpnia|августа|elo',
  'sep|sept|septembre|septiembre|setembro|set|settembre|september|wrzesnia|сентября|syys',
  'oct|octobre|octubre|outubro|out|ottobre|ott|october|oktober|okt|pazdziernika|октября|loka',
  'nov|novembre|noviembre|novembro|november|listopada|ноября|marras',
  'dec|decembre|diciembre|dic|dezembro|dez|dicembre|december|dezember|grudnia|декабря|joulu',
]
const monthOf = new Map(monthNames.flatMap((names, at) => names.split('|').map((name) => [name, at + 1] as const)))

type Reader = (match: RegExpExecArray, dayFirst: boolean) => FoundDate | undefined
const readers: [RegExp, Reader][] = [
  [
    /(?<![\d/.-])(\d{4})([-/.])(\d{1,2})\2(\d{1,2})(?![\d-])(?:[T ]\s?(\d{1,2}:\d{2}(?::\d{2}(?:\.\d+)?)?)\s?(Z|UTC|[+-]\d{2}:?\d{2})?)?/,
    ([, year, , month, day, time, zone]) => at(number(year), number(month), number(day), time, zone),
  ],
  [
    /(?<!\d)(\d{4})\s?[年년]\s?(\d{1,2})\s?[月월]\s?(\d{1,2})\s?[日일]/,
    ([, year, month, day]) => at(number(year), number(month), number(day)),
  ],
  [
    /(?<![\d/.-])(\d{1,2})([/.-])(\d{1,2})\2(\d{4}|\d{2})(?![\d/.-]*\d)/,
    ([, first, mark, second, year], dayFirst) => {
      const [a, b] = [number(first), number(second)]
      // with points, as in German dates, the day comes first
      const known = mark === '.' || a > 12 || b > 12 || a === b
      const found =
        a <= 12 && (b > 12 || (!dayFirst && mark !== '.')) ? at(fullYear(year), a, b) : at(fullYear(year), b, a)
      return found && !known ? { ...found, eitherOrder: true } : found
    },
  ],
  [
    /(?<!\d)(\d{1,2})(?:st|nd|rd|th|er|º|ª|\.)?[\s-]+(?:de\s+|of\s+|d'\s?)?(\p{L}{3,12})\.?,?[\s-]+(?:de\s+|del\s+)?(\d{4})(?!\d)/u,
    ([, day, month, year]) => at(number(year), monthNumber(month), number(day)),
  ],
  // 05May2022
  [
    /(?<!\d)(\d{2})(\p{L}{3})(\d{4})(?!\d)/u,
    ([, day, month, year]) => at(number(year), monthNumber(month), number(day)),
  ],
  [
    /(?<!\p{L})(\p{L}{3,12})\.?\s+(\d{1,2})(?:st|nd|rd|th)?\s*,?\s+(\d{4})(?!\d)/u,
    ([, month, day, year]) => at(number(year), monthNumber(month), number(day)),
  ],
  [
    /(?<!\d)(20\d{2}|19\d{2})(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])(?!\d)/,
    ([, year, month, day]) => at(number(year), number(month), number(day)),
  ],
  // also with a day that nobody filled in: 2026-01-XX
  [/(?<![\d/.-])(\d{4})[-/](0[1-9]|1[0-2])(?![\d/]|-\d)/, ([, year, month]) => monthOnly(number(year), number(month))],
  [
    /(?<!\p{L})(\p{L}{3,12})\.?(?:\s*_*,?|\s+[_?X]{1,2},?)\s+(?:de\s+)?(\d{4})(?!\d)/u,
    ([, month, year]) => monthOnly(number(year), monthNumber(month)),
  ],
  [/(?<!\d)(\d{4})\s?[年년]\s?(\d{1,2})\s?[月월]/, ([, year, month]) => monthOnly(number(year), number(month))],
]

/** The first date in a text, in any form. If several forms match at the same place, the most complete one. */
export function findDate(text: string, dayFirst = true): FoundDate | undefined {
  const piece = text.slice(0, 500).normalize('NFKC')
  let best: { index: number; found: FoundDate } | undefined
  for (const [pattern, read] of readers) {
    const match = pattern.exec(piece)
    const found = match ? read(match, dayFirst) : undefined
    if (match && found && (best === undefined || match.index < best.index)) best = { index: match.index, found }
  }
  return best?.found
}

/**
 * Guesses whether 05/02/2018 means 5 February in these texts. Dates with a number above 12 are unambiguous and show the
 * order. Without such dates, or with as many of each order, the day comes first, and `sure` is false.
 */
export function dayComesFirst(texts: readonly string[]): { dayFirst: boolean; sure: boolean } {
  let days = 0
  let months = 0
  for (const text of texts) {
    const match = /(?<![\d/.-])(\d{1,2})[/-](\d{1,2})[/-](?:\d{4}|\d{2})(?!\d)/.exec(text.slice(0, 500))
    if (!match) continue
    if (number(match[1]) > 12) days++
    else if (number(match[2]) > 12) months++
  }
  return { dayFirst: days >= months, sure: days !== months }
}

export const isMonth = (word: string): boolean => monthNumber(word) > 0

function at(year: number, month: number, day: number, time = '00:00', zone = 'Z'): FoundDate | undefined {
  const two = (value: number) => String(value).padStart(2, '0')
  const date = `${String(year).padStart(4, '0')}-${two(month)}-${two(day)}`
  if (year < 1970 || year > 9999) return undefined
  // 31 June: the month is right
  if (isoInstant(`${date}T00:00:00Z`) === undefined) return day > 28 && day <= 31 ? monthOnly(year, month) : undefined
  const clock = time.length === 4 || /^\d:/.test(time) ? `0${time}` : time
  const exact = new Date(`${date}T${clock}${zone === 'UTC' ? 'Z' : zone.replace(/([+-]\d{2})(\d{2})$/, '$1:$2')}`)
  const iso = Number.isNaN(exact.getTime()) ? `${date}T00:00:00.000Z` : exact.toISOString()
  return { iso }
}

function monthOnly(year: number, month: number): FoundDate | undefined {
  const found = at(year, month, 1)
  return found ? { ...found, dayUnknown: true } : undefined
}

const number = (digits: string | undefined) => Number(digits)

function fullYear(digits: string | undefined): number {
  const year = number(digits)
  if (digits?.length !== 2) return year
  return year < 70 ? 2000 + year : 1900 + year
}

function monthNumber(word: string | undefined): number {
  const key = (word ?? '')
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .normalize('NFC')
    .toLowerCase()
  return monthOf.get(key) ?? monthOf.get(key.slice(0, 3)) ?? 0
}
