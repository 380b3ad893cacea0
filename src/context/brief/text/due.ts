/** The day on which a commitment is due, and whether the period of a rule is over. */
import { takeDates, type When } from '../../../claims/reading/dates.ts'

/** UTF-16 units read of a text. */
const mostRead = 2_000
/** ms */
const month = 30 * 86_400_000

/** ms by which a day without its year may be ahead: one further ahead is rather over, as in “the meeting on 3 May”. */
const farthest = 9 * month

/**
 * ISO date; undefined: it names no day. The last day counts: earlier ones are steps on the way. A day without its year is
 * the next one after `saidAt` (ISO 8601), when the commitment was made.
 */
export function dueDay(text: string, saidAt: string): string | undefined {
  const days = daysIn(text.slice(0, mostRead), saidAt)
  const last = days
    .filter(({ before }) => until.test(before))
    .map(({ day }) => day)
    .sort()
    .at(-1)
  if (last !== undefined || days.length !== 1) return last
  const [only] = days as [Day]
  const latest = new Date(Date.parse(saidAt) + farthest).toISOString()
  const isAhead = only.day >= saidAt.slice(0, 10) && (only.hasYear || only.day <= latest)
  return isAhead && isDoneOn(only) ? only.day : undefined
}

/** Words before a day on which something is due. */
const until = /\b(?:by|until|till|due(?: on| by)?|before|no later than|bis)\s+(?:(?:the )?end of )?$/i

/** “We deliver the desks on …”, not “as agreed on …”, “since the meeting on …”, “if they come on …”. */
function isDoneOn({ before, after }: Day): boolean {
  const found = on.exec(before)
  if (found === null) return false
  const head = before.slice(0, found.index).split(clauseStart).at(-1) ?? ''
  const [tail = ''] = after.split(/[,;:(–—]|\.(?:\s|$)/, 1)
  return !otherwise.test(`${head}on \0${tail}`.replace(passive, ' '))
}

const on =
  /\bon\s+(?:(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day,?\s+)?(?:the\s+)?(?:(?:morning|afternoon|evening|night) of\s+)?$/i

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
  const days = daysIn(text.slice(0, mostRead))
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
  const days = daysIn(text.slice(0, mostRead)).sort((a, b) => (a.day < b.day ? -1 : 1))
  const last = days.at(-1)
  return last !== undefined && held.test(last.before) ? last.day : undefined
}

const held = /\b(?:until|till|through|valid to|(?:expires?|end(?:s|ed)?)(?: on)?|bis)\s+$/i

interface Day {
  day: string
  hasYear: boolean
  /** The text of its sentence before it. */
  before: string
  after: string
}

/** Without `saidAt` only days with their year. */
function daysIn(text: string, saidAt?: string): Day[] {
  const found: Day[] = []
  for (const sentence of text.split(/(?<=[.!?;])\s/)) {
    const said = recurring.test(sentence) ? undefined : saidAt
    for (const match of sentence.matchAll(dayPattern)) {
      const day = dayIn(match[0], said)
      if (day === undefined) continue
      const [before, after] = [sentence.slice(0, match.index), sentence.slice(match.index + match[0].length)]
      found.push({ day, hasYear: /\d{4}/.test(match[0]), before, after })
    }
  }
  return found
}

const monthNames =
  'January|February|March|April|May|June|July|August|September|October|November|December|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec'
const dayPattern = new RegExp(
  `\\b(?:\\d{4}-\\d\\d-\\d\\d|\\d{1,2}(?:st|nd|rd|th)? (?:${monthNames})\\b(?:\\.? \\d{4}\\b)?|(?:${monthNames})\\.? \\d{1,2}(?:st|nd|rd|th)?\\b(?:,? \\d{4}\\b)?)`,
  'g',
)
/** Such a day comes again each year. */
const recurring = /\b(?:every|each|annual(?:ly)?|yearly|once a) /i
/** ms by which a day without its year may be over when the commitment is recorded. */
const recordedLate = 14 * 86_400_000

function dayIn(text: string, saidAt: string | undefined): string | undefined {
  let found: When | undefined
  takeDates(text, (when) => {
    found ??= when
  })
  if (found?.kind !== 'days' || found.first !== found.last) return undefined
  const [month, day] = [Math.floor((found.first - 1) / 31), ((found.first - 1) % 31) + 1]
  const inYear = (year: number) => `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`
  if (found.year !== null) return inYear(found.year)
  if (saidAt === undefined) return undefined
  const earliest = new Date(Date.parse(saidAt) - recordedLate)
  const next = inYear(earliest.getUTCFullYear())
  return next >= earliest.toISOString().slice(0, 10) ? next : inYear(earliest.getUTCFullYear() + 1)
}
