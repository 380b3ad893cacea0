/** The day on which a commitment is due, and whether the period of a rule is over. */
import { takeDates, type When } from '../../../claims/reading/dates.ts'
import { oncePerText } from '../../../text/once-per-text.ts'

/** UTF-16 units read of a text. */
const mostRead = 2_000
/** ms */
const month = 30 * 86_400_000

/** ms by which a day without its year may be ahead: one further ahead is rather over, as in “the meeting on 3 May”. */
const farthest = 9 * month

/**
 * ISO date; undefined: it names no day. The last day counts: earlier ones are steps on the way. What is due by a month, a
 * quarter or a year is due on its last day. A day without its year is the next one after `saidAt` (ISO 8601), when the
 * commitment was made.
 */
export function dueDay(text: string, saidAt: string): string | undefined {
  const all = daysIn(text, saidAt)
  const last = all
    .filter(({ before, isOneDay }) => (isOneDay ? until : by).test(before))
    .map(({ day }) => day)
    .sort()
    .at(-1)
  const days = all.filter(({ isOneDay }) => isOneDay)
  if (last !== undefined || days.length !== 1) return last
  const [only] = days as [Day]
  const latest = new Date(Date.parse(saidAt) + farthest).toISOString()
  const isAhead = only.day >= saidAt.slice(0, 10) && (only.hasYear || only.day <= latest)
  return isAhead && isDoneOn(only) ? only.day : undefined
}

const byWords = [
  /by|(?:due|deadline)(?: date)?(?: is| of)?(?: on| by)?:?|not? later than/,
  /deadline(?: date)? (?:of|for|to) [^,;:.]{1,60} is(?: on)?/,
]
  .map(({ source }) => source)
  .join('|')
/** Words before a day on which something is due, and before a month or a longer time. */
const until = new RegExp(`\\b(?:${byWords}|until|till|before|bis)\\s+(?:the )?(?:end of )?$`, 'i')
const by = new RegExp(`\\b(?:(?:${byWords})\\s+(?:(?:the )?end of )?|before (?:the )?end of )(?:the )?$`, 'i')

/** “We deliver the desks on …”, not “as agreed on …”, “since the meeting on …”, “if they come on …”. */
function isDoneOn({ before, after }: Day): boolean {
  const found = on.exec(before)
  if (found === null) return false
  const head = before.slice(0, found.index).split(clauseStart).at(-1) ?? ''
  const [tail = ''] = after.split(/[,;:(–—]|\.(?:\s|$)/, 1)
  return !otherwise.test(`${head}on \0${tail}`.replace(passive, ' '))
}

const on = /\bon\s+(?:the\s+)?(?:(?:morning|afternoon|evening|night) of\s+)?$/i

/** The beginning of the clause that holds the day. */
const clauseStart = /[,;:(–—]\s|\b(?:promis|agre|confirm|assur|said|says|told|wrote)\w*\b[^,;:]{0,60}? that\s/i

/** “are handed over”, “will be sent”, and at the beginning “delivered”: not in the past, because the day is ahead. */
const passive = /\b(?:is|are|be|gets?) (?:(?!closed\b)\w+ed|sent|paid|made|given)\b|^\W*delivered\b/gi

const otherwise = new RegExp(
  [
    // it has happened
    /\b(?:was|were|had|been|met|told|said|came|sent|gave|wrote|written|made|paid|\w{2,}(?<!\bne)ed)\b/,
    // a condition, or a thing that is described
    /\b(?:if|when|unless|because|since|that|which|who)\b/,
    // nothing is done, or something ends
    /\b(?:not|never|nobody|no|closed)\b|n['’]t\b|\b(?:expires?|ends?|lapses?|depends?) (?:\w+ )?on \0/,
    // the day of a talk or of a paper
    /\b(?:at|after|in|of) (?:\w+ ){0,4}(?:meeting|call|talk|board|letter|mail|contract|order|list)s? on \0/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'i',
)

/** ISO dates: the first and the last day. */
export interface Period {
  from: string
  to: string
}

/** The period for which a rule holds. undefined: the text names none, or further days. */
export function periodIn(text: string): Period | undefined {
  const days = onlyDaysIn(text)
  const [from, to] = days
  if (from === undefined || to === undefined || days.length > 3) return undefined
  const isRange = /\b(?:from|between)\s+$/i.test(from.before) && /\b(?:to|until|till|and|through)\s+$/i.test(to.before)
  return isRange && from.day < to.day ? { from: from.day, to: to.day } : undefined
}

/** Work that is planned today may fall into it. `now`: ISO 8601. */
export function lastsOrBeginsSoon({ from, to }: Period, now: string): boolean {
  return now.slice(0, 10) <= to && from <= new Date(Date.parse(now) + month).toISOString().slice(0, 10)
}

/** Less than a month before or after `now`. Both are ISO 8601. */
export function isWithinMonth(at: string, now: string): boolean {
  return Math.abs(Date.parse(now) - Date.parse(at)) <= month
}

/** The last day of the text, if the text says that something held until then. ISO date. */
export function heldUntil(text: string): string | undefined {
  const days = onlyDaysIn(text).sort((a, b) => (a.day < b.day ? -1 : 1))
  const last = days.at(-1)
  return last !== undefined && held.test(last.before) ? last.day : undefined
}

const held = /\b(?:until|till|through|valid to|(?:expires?|end(?:s|ed)?)(?: on)?|bis)\s+$/i

interface Day {
  /** The last one, if it is a month or a longer time. */
  day: string
  isOneDay: boolean
  hasYear: boolean
  /** The text of its sentence before it. */
  before: string
  after: string
}

/** In the order of the text. Without `saidAt` only those with their year. */
function daysIn(text: string, saidAt?: string): Day[] {
  return datesIn(text.slice(0, mostRead)).flatMap(({ when, isRecurring, ...date }) => {
    const day = lastDayOf(when, isRecurring ? undefined : saidAt)
    if (day === undefined) return []
    const said = { ...date, day, isOneDay: isOneDay(when), hasYear: when.year !== null }
    const [middle] = (isMonth(when) && middleOf.exec(date.before)) || []
    if (middle === undefined) return [said]
    return [{ ...said, day: `${day.slice(0, 8)}15`, before: date.before.slice(0, -middle.length) }]
  })
}

/** “mid-November”: its 15th day. */
const middleOf = /\bmid(?:dle of )?[-– ]?$/i

const onlyDaysIn = (text: string, saidAt?: string) => daysIn(text, saidAt).filter((day) => day.isOneDay)

interface DateInText extends Pick<Day, 'before' | 'after'> {
  when: When
  /** Such a day comes again each year. */
  isRecurring: boolean
}

/** A page without a query is written several times, until it is short enough. */
const datesIn = oncePerText(500, (text): readonly DateInText[] =>
  text.split(/(?<=[.!?;])\s/).flatMap((sentence) => {
    if (!mayBeDated.test(sentence)) return []
    const found: (DateInText & { at: number })[] = []
    takeDates(sentence, (when, written, at) => {
      if (!isClear(when, written)) return undefined
      // “by 2027” is found with its first word
      const from = when.kind === 'year' ? at + written.search(/\d{4}/) : at
      const [before, after] = [sentence.slice(0, from), sentence.slice(at + written.length)]
      found.push({ when, isRecurring: recurring.test(sentence), before, after, at })
      return undefined
    })
    return found.sort((a, b) => a.at - b.at)
  }),
)

/** Most sentences name none: looking for all forms takes long. */
const mayBeDated = /\d|\b(?:Jan|Feb|Mar|Apr|May|June?|July?|Aug|Sep|Oct|Nov|Dec)/
const recurring = /\b(?:every|each|annual(?:ly)?|yearly|once a) /i

/** “3/4/2026” is a day in March or in April, and “2 may” is none. */
function isClear({ kind }: When, written: string): boolean {
  const [, a, b] = /(\d+)\/(\d+)\/\d{4}/.exec(written) ?? []
  const isOneOfTwo = a !== b && Number(a) <= 12 && Number(b) <= 12
  return (kind === 'days' || kind === 'year') && !isOneOfTwo && !/\b(?:may|mar(?:ch)?)\b/.test(written)
}

const isOneDay = ({ kind, first, last }: When) => kind === 'days' && first === last
const isMonth = ({ kind, first, last }: When) => kind === 'days' && last - first === 30

/** ms by which a day without its year may be over when the commitment is recorded. */
const recordedLate = 14 * 86_400_000

function lastDayOf({ kind, year, last }: When, saidAt: string | undefined): string | undefined {
  const [month, day] = kind === 'year' ? [12, 31] : [Math.floor((last - 1) / 31), ((last - 1) % 31) + 1]
  // months are reckoned with 31 days
  const inYear = (of: number) => {
    const lastOfMonth = new Date(Date.UTC(of, month, 0)).getUTCDate()
    return `${of}-${String(month).padStart(2, '0')}-${String(Math.min(day, lastOfMonth)).padStart(2, '0')}`
  }
  if (year !== null) return inYear(year)
  if (saidAt === undefined) return undefined
  const earliest = new Date(Date.parse(saidAt) - recordedLate)
  const next = inYear(earliest.getUTCFullYear())
  return next >= earliest.toISOString().slice(0, 10) ? next : inYear(earliest.getUTCFullYear() + 1)
}
