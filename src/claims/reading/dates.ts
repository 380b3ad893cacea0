/** Finds dates, quarters, weekdays and times of day in a sentence. */

export interface When {
  type: 'date'
  /** `days`: a range within a year. `day`: a day of any month. `clock`: a time of day. */
  kind: 'days' | 'week' | 'day' | 'year' | 'season' | 'weekday' | 'clock'
  year: number | null
  /** First and last unit of `kind`. Days of a year are numbered month · 31 + day, times of day in minutes. */
  first: number
  last: number
}

/** Each word is a number, from 1, with its short forms. */
const numbersOf = (names: string): ReadonlyMap<string, number> =>
  new Map(names.split(/\s+/).flatMap((forms, at) => forms.split('/').map((name) => [name, at + 1] as const)))
const months = numbersOf(
  `january/jan february/feb march/mar april/apr may june/jun july/jul august/aug september/sept/sep october/oct november/nov
  december/dec`,
)
const weekdays = numbersOf('monday/mon tuesday/tue wednesday/wed thursday/thu friday/fri saturday/sat sunday/sun')
const seasons = numbersOf('spring summer autumn/fall winter')
const ordinals = numbersOf('first/1st second/2nd third/3rd fourth/4th')

const dayNames = numbersOf(
  `first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth
  seventeenth eighteenth nineteenth twentieth`,
)

const oneOf = (names: ReadonlyMap<string, number>) => [...names.keys()].sort((a, b) => b.length - a.length).join('|')
const capital = (name: string) => (name[0] as string).toUpperCase() + name.slice(1)
/** Names of months as they are written, because “may” and “march” are also verbs. */
export const monthNames = [...months.keys()].filter((name) => name.length > 3 || name === 'may').map(capital)
export const weekdayNames = [...weekdays.keys()].filter((name) => name.length > 3).map(capital)
const month = `(?<month>${oneOf(months)})\\.?`
const day = '(?<day>[0-3]?\\d)(?:st|nd|rd|th)?'
const year = '(?<year>(?:19|20)\\d\\d)'
const dayName = `(?:(?:${oneOf(weekdays)})\\.?,? (?:the )?)?`
/** Before a month on its own. At the start of a sentence it is capitalised. */
const before = `(?<=\\b(?:${'in by until till from since of to through mid early late on next last every each before and is'.replace(/\b\p{L}/gu, (letter) => `[${letter}${letter.toUpperCase()}]`).replaceAll(' ', '|')}) )`

const hourNames = numbersOf('one two three four five six seven eight nine ten eleven twelve')
const ofMonth = '(?:each|every|the|a|that) (?:calendar )?month'

type Groups = { readonly [name: string]: string | undefined }
type Pattern = readonly [RegExp, (groups: Groups) => When | undefined]
const dated = (pattern: string, flags = 'giu') => new RegExp(`(?<![\\p{L}\\p{N}.])${pattern}(?![\\p{L}\\p{N}])`, flags)

const patterns: readonly Pattern[] = [
  [dated(`${dayName}${year}-(?<month>\\d\\d)-(?<day>\\d\\d)`), dayOf],
  [dated(`${dayName}(?<day>[0-3]?\\d)[./](?<month>[01]?\\d)[./]${year}`), dayOf],
  [dated(`${dayName}(?<month>[01]?\\d)/(?<day>1[3-9]|2\\d|3[01])/${year}`), dayOf],
  [dated(`${dayName}${day} (?:of )?${month},?(?: (?:of )?${year})?`), dayOf],
  [dated(`${dayName}${month} ${day}(?!\\d)(?:,? ${year})?`), dayOf],
  [dated(`${month},? (?:of )?${year}`), dayOf],
  [dated(`(?:Q|q)(?<quarter>[1-4])(?:[ /-]${year})?`, 'gu'), partOf],
  [dated(`H(?<half>[12])(?:[ /-]${year})?`, 'gu'), partOf],
  [
    dated(
      `(?<ordinal>${oneOf(ordinals)}) (?<part>quarter|half)(?: (?:of )?${year}|(?= of the year)|(?! (?:of|an?)\\b))`,
    ),
    partOf,
  ],
  [dated(`(?:calendar )?week (?<week>\\d\\d?)(?: (?:of|in) ${year})?`), weekOf],
  [dated(`(?<season>${oneOf(seasons)}) (?:of )?${year}`), seasonOf],
  [
    dated(
      `(?<=\\b(?:in|by|until|since|of|this) (?:the )?)(?<season>${oneOf(seasons)})(?! \\p{Ll}+(?<!\\b(?:and|or|the|we|it|of|at|on|for|by|but|is|are|was|were|will|when|after|before|with|to|in))\\b)`,
    ),
    seasonOf,
  ],
  [dated(`(?:the )?first (?:day )?of ${ofMonth}`), () => timeOf('day', 1)],
  [dated(`(?:the )?first (?:working|business|week)[ -]?day of ${ofMonth}`), () => timeOf('day', 1, 4)],
  [
    dated(`(?:the )?last (?:(?:working|business|week)[ -]?)?day of ${ofMonth}|at the end of (?:each|every) month`),
    () => timeOf('day', 28, 31),
  ],
  [dated(`the (?<day_name>${oneOf(dayNames)}) of ${ofMonth}`), namedDayOf],
  [dated(`${before}(?<month>${monthNames.join('|')})`, 'gu'), dayOf],
  [dated('(?:the )?(?<day>[0-3]?\\d)(?:st|nd|rd|th)(?: of (?:each|every|the) month)?'), dayOf],
  [
    dated('(?:FY|fiscal(?: year)?|year|in|of|by|since|until|till|before|for|end of|during) ?(?<year>(?:19|20)\\d\\d)'),
    yearOf,
  ],
  [dated('(?<year>(?:19|20)\\d\\d)(?!\\.\\d|,\\d| ?(?:\\p{Ll}|[%€$]))'), yearOf],
  [dated('(?<hour>[01]?\\d|2[0-4])(?:[:.](?<minute>[0-5]\\d))? ?(?<half_day>am|pm|a\\.m\\.|p\\.m\\.)'), clockOf],
  [dated('(?<hour>[01]?\\d|2[0-4]):(?<minute>[0-5]\\d)(?: ?(?:h|hrs|UTC|CET|CEST|GMT))?'), clockOf],
  [dated("(?<hour>[01]?\\d|2[0-4]) ?o[’']clock"), clockOf],
  [
    dated(
      `(?:(?<half>half) past )?(?<hour_name>1?\\d|${oneOf(hourNames)})(?: o[’']clock)? in the (?<part>morning|afternoon|evening)`,
    ),
    hourNamed,
  ],
  [dated('(?<=\\b(?:at|by|until|till|before|from|after) )(?<noon>noon|midday|midnight)'), clockOf],
  [dated(`(?<weekday>(?:${weekdayNames.join('|')})s?)`), weekdayOf],
]

/** `at`: where it begins in the text, if no mark has taken the place of an earlier one. */
export function takeDates(text: string, take: (when: When, found: string, at: number) => string | undefined): string {
  return patterns.reduce(
    (rest, [pattern, read]) =>
      rest.replace(pattern, (found, ...more) => {
        const when = read(more.at(-1) as Groups)
        if (!when) return found
        const mark = take(when, found, more.at(-3) as number)
        return mark ? ` ${mark} ` : ' '.repeat(found.length)
      }),
    text,
  )
}

/** Whether the text tells a date or a period of the calendar. What comes again, such as “on Mondays”, is none. */
export function tellsDate(text: string): boolean {
  let isTold = false
  takeDates(text, ({ kind }) => {
    isTold ||= kind !== 'weekday' && kind !== 'clock' && kind !== 'day'
    return undefined
  })
  return isTold
}

function timeOf(kind: When['kind'], first: number, last = first, year: number | null = null): When {
  return { type: 'date', kind, year, first, last }
}

function namedDayOf({ day_name: name }: Groups): When {
  return timeOf('day', dayNames.get((name as string).toLowerCase()) as number)
}

const numbered = (written: string | undefined) => (written === undefined ? null : Number(written))

function dayOf({ year: y, month: m, day: d }: Groups): When | undefined {
  const [inYear, at] = [numbered(y), numbered(d)]
  if (at !== null && (at < 1 || at > 31)) return undefined
  if (m === undefined) return at === null ? undefined : timeOf('day', at)
  const of = months.get(m.toLowerCase()) ?? Number(m)
  if (!(of >= 1 && of <= 12)) return undefined
  return timeOf('days', of * 31 + (at ?? 1), of * 31 + (at ?? 31), inYear)
}

function partOf({ quarter, half, ordinal, part, year: y }: Groups): When {
  const nth = quarter ?? half ?? ordinals.get((ordinal as string).toLowerCase())
  const length = half !== undefined || part?.toLowerCase() === 'half' ? 6 : 3
  const from = (Number(nth) - 1) * length + 1
  return timeOf('days', from * 31 + 1, (from + length - 1) * 31 + 31, numbered(y))
}

function weekOf({ week, year: y }: Groups): When {
  return timeOf('week', Number(week), Number(week), numbered(y))
}

function seasonOf({ season, year: y }: Groups): When {
  const at = seasons.get((season as string).toLowerCase()) as number
  return timeOf('season', at, at, numbered(y))
}

function yearOf({ year: y }: Groups): When {
  return timeOf('year', 0, 0, Number(y))
}

function clockOf({ hour, minute, half_day, noon }: Groups): When {
  const hours = noon === undefined ? Number(hour) : noon.toLowerCase() === 'midnight' ? 24 : 12
  const isAfternoon = half_day !== undefined && /^p/i.test(half_day)
  const of24 = half_day === undefined ? hours : (hours % 12) + (isAfternoon ? 12 : 0)
  const at = (of24 % 24) * 60 + Number(minute ?? 0)
  return timeOf('clock', at)
}

function hourNamed({ half, hour_name: name, part }: Groups): When | undefined {
  const hour = hourNames.get((name as string).toLowerCase()) ?? Number(name)
  if (!(hour >= 1 && hour <= 12)) return undefined
  return timeOf(
    'clock',
    ((hour % 12) + (part?.toLowerCase() === 'morning' ? 0 : 12)) * 60 + (half === undefined ? 0 : 30),
  )
}

function weekdayOf({ weekday }: Groups): When | undefined {
  const name = (weekday as string).toLowerCase()
  const at = weekdays.get(name) ?? weekdays.get(name.replace(/s$/, ''))
  return at === undefined ? undefined : timeOf('weekday', at)
}

/** The same time, or one within the other, as “20 March” is within “Q1”. */
export function sameDate(a: When, b: When): boolean {
  if (a.year !== null && b.year !== null && a.year !== b.year) return false
  if (a.kind === 'year' || b.kind === 'year') return a.kind === b.kind || a.year === b.year
  if (a.kind !== b.kind)
    return a.kind === 'day' && b.kind === 'days' ? isDay(b, a.first) : b.kind === 'day' && isDay(a, b.first)
  return (a.first <= b.first && b.last <= a.last) || (b.first <= a.first && a.last <= b.last)
}

const isDay = ({ kind, first, last }: When, at: number) =>
  kind === 'days' && first === last && (first - 1) % 31 === at - 1

/** Two times of the same kind that do not overlap. */
export function datesDiffer(a: When, b: When): boolean {
  if (a.kind !== b.kind) return false
  if (a.year !== null && b.year !== null && a.year !== b.year) return true
  return a.kind !== 'year' && (a.last < b.first || b.last < a.first)
}

/** Both name days, and no day of one overlaps a day of the other. */
export function allDatesDiffer(some: readonly When[], others: readonly When[]): boolean {
  return some.length > 0 && others.length > 0 && some.every((one) => others.every((other) => datesDiffer(one, other)))
}

/** Whether `a` starts after `b` ends. */
export function isLater(a: When, b: When): boolean {
  return (a.year ?? b.year ?? 0) * 400 + a.first > (b.year ?? a.year ?? 0) * 400 + b.last
}
