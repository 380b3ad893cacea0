/** Whether two sentences speak of different times, parts or events, so that both can hold. */
import { oncePerText } from '../../text/once-per-text.ts'
import { allDatesDiffer, monthNames, takeDates, type When, weekdayNames } from '../reading/dates.ts'
import { oncePer } from '../reading/once-per.ts'
import type { Statement } from '../reading/statement.ts'

/** With short forms: “Jan”. */
const month = `(?:${monthNames.join('|')}|${monthNames.map((name) => name.slice(0, 3)).join('|')})`
const day = '\\d{1,2}(?:st|nd|rd|th)?'
const time = new RegExp(
  `\\b(?:${day}(?: (?:to|and) ${day})? (?:of )?${month}(?: \\d{4})?|${month}(?: \\d{1,4})?|Q[1-4]|(?:19|20)\\d\\d|spring|summer|autumn|winter|(?:first|second|third|fourth) quarter)\\b`,
  'g',
)
/** “The week from 3 to 9 March” and “the week of 17 to 23 March”. */
export const haveOtherTimes = (a: string, b: string) => haveOthers(time, a, b)

const parts = [
  /\bweek(?:end|day)s?\b/gi,
  /\b(?:production|prod|live|training|staging|test(?:ing)?|development|dev|sandbox|demo|local(?:ly)?|preview)\b/gi,
  /\b(?:adult|children|student|senior|staff|visitor|guest|member|admin(?:istrator)?|contractor)s?\b/gi,
  /\b(?:read|write)s?\b/gi,
  /\b\p{Lu}\p{L}+(?=['’]s\s)/gu,
  /(?<![\p{L}\p{N}.])\/\p{Ll}[\p{L}\p{N}/_-]*/gu,
  /\b(?:morning|evening|(?:mid)?night|afternoon|by day|daytime|day shift)s?\b/gi,
  /^(?:before|after|with|without|inside|outside)\b/gi,
  // “the strike on 3 April stopped the ferries”
  new RegExp(`(?<=^\\P{L}*(?:the|our|an?) (?:[\\p{L}-]+ ){1,3}on )${time.source}(?= \\p{Ll})`, 'giu'),
  /\b(?:first|second|third|fourth)[ -](?:generation|floor|phase|stage|line|tier|year|shift|batch|wave|class|level|half|day|hour|month|attempt|offence)\b/gi,
  /\b(?:spring|summer|autumn|winter)\b/gi,
  /\b(?:already|existing|new)\b/gi,
  /\b(?:across|between|inside)\b/gi,
  /\b(?:(?:down|up)(?:load|stream)|(?:in|out)bound|incoming|outgoing)s?\b/gi,
  /\b(?:draft|final|first|interim|next)s?\b/gi,
  // “has paid the invoice for January”
  new RegExp(`(?<=(?<!\\b(?:announced|booked|due|fixed|planned|scheduled|set) )for (?:the )?)${time.source}`, 'g'),
  /\b(?!(?:the|our|an?|each|every|this|that|all|any|no|per|his|her|its|their|other)\b)\p{L}+ (?=(?:edition|level|mode|operation|package|plan|tier)s?\b)/giu,
]
/** “In production” and “on staging”, “on Mondays” and “on Saturdays”. */
export function haveOtherScopes(a: Statement, b: Statement): boolean {
  const [one, other] = [scopesOf(a), scopesOf(b)]
  return (
    one.parts.some((words, at) => eachHasOwn(words, other.parts[at] as string[])) ||
    areBothSides(one, other) ||
    areBothSides(other, one) ||
    isCondition(a.text, b.text) ||
    isCondition(b.text, a.text)
  )
}

interface Scopes {
  /** The words of each pattern of `parts`. */
  parts: string[][]
  /** Amounts above which it holds, and those up to which it holds. */
  above: readonly (string | undefined)[]
  below: readonly (string | undefined)[]
}

const scopesOf = oncePer(
  ({ text }: Statement): Scopes => ({
    parts: parts.map((pattern) => wordsIn(pattern, text)),
    above: [
      ...amountsAfter(/\b(?:above|over|more than|from|exceeding) \W?(\d[\d.,]*)/gi, text),
      ...amountsAfter(/(?<![\d.,])(\d[\d.,]*) (?:and|or) (?:above|more|older|over)\b/gi, text),
    ],
    below: amountsAfter(
      /\b(?:below|under|up to|less than|fewer than|at most|between \W?\d[\d.,]* and) \W?(\d[\d.,]*)/gi,
      text,
    ),
  }),
)

/** “If asked”, beside what says no condition. */
const isCondition = (a: string, b: string) =>
  /^\W*if\b/i.test(a) && !/\b(?:as soon as|if|once|when|whenever)\b/i.test(b)

/** “Above 10,000 euros” and “up to 10,000 euros”. */
const areBothSides = ({ above }: Scopes, { below }: Scopes) => below.some((amount) => above.includes(amount))
const amountsAfter = (pattern: RegExp, text: string) => [...text.matchAll(pattern)].map(([, amount]) => amount)

const verbs =
  '(?:is|are|was|were|has|have|takes?|lasts?|runs?|needs?|uses?|allows?|holds?|of|in|at|on|for|to|by|after|with|within)\\b'
const noName =
  '(?:per|each|every|a|an|seconds?|minutes?|hours?|days?|weeks?|months?|years?|percent|euros?|dollars?|[kmgt]b|ms)\\b'
/** What begins a sentence and has a number is a thing of its own: “Invoice 5 …”, “Load test 5 …”. */
const numberedSubject = new RegExp(
  `(?:^\\P{L}*|\\bthat )(?:the |our |an? )?(?<thing>[\\p{L}-]+(?: (?!${verbs})[\\p{L}-]+)?) (?:(?:number|no\\.?) |#)?\\d+(?:\\.\\d+)*(?![\\p{L}\\p{N}%€$]|[.,:]\\d)(?=:| (?!${noName})\\p{L})`,
  'iu',
)
const numbered =
  /\b(?:rooms?|racks?|decks?|cabins?|berths?|piers?|tanks?|lockers?|trucks?|vans?|studios?|screens?|gates?|lines?|floors?|halls?|bays?|docks?|zones?|wards?|lanes?|tables?|lots?|batch|warehouse|terminal|building|unit|machine|press|pump|crane|shard|partition|invoice|ticket|sprint|phase|step|chapter|section|article|annex|appendix|platform|route|bus|tram) \d+/gi
const noNoun =
  '(?:is|are|was|were|has|have|had|will|must|may|can|shall|at|on|in|of|from|to|and|or|by|before|after|until|till|for|the|an?|we|it|they|you|i|each|every|through|as|not|only|morning|evening|afternoon|night|noon|between|with|unless|if|because|so|but|instead|onwards?)\\b'
/** “The Tuesday shift”, “March newsletter”. */
const namedByTime = new RegExp(
  `(?<=^\\W*|\\b(?:[Tt]he|[Oo]ur|[Ii]ts|[Tt]heir|[Aa]n?|[Hh]is|[Hh]er) )(?:(?:${weekdayNames.join('|')})s?|${monthNames.join('|')})(?= (?!${noNoun})\\p{L})`,
  'gu',
)
/** “The outage of 9 February”, but not “the price list of 1 January”, which replaces the one before. */
const datedThing = /\b(?:the|our|an?|this|that|their) (?:[\p{L}'’-]+ ){0,3}?(?<event>[\p{L}-]{3,}) of (?:the )?$/iu
const noEvent =
  /^(?:agreements?|beginning|budget|charter|contract|dates?|deadline|decision|directive|due|e-?mail|end|evening|guidelines?|law|letter|limit|list|mail|memo|middle|minutes|morning|night|note|notice|offer|order|period|plan|policy|prices?|quote|ruling|rules?|schedule|standard|start|statement|state|tariffs?|terms|value|version|week|weekend|winter)$/i
/** Something that was agreed there may have changed. */
const agreedThere = /\b(?:agreed|approved|decided|resolved|voted)\b/i

/** The days of the events that a text names by their day. */
function eventDaysIn(text: string): When[] {
  const found: When[] = []
  takeDates(text, (when, _, at) => {
    const event = datedThing.exec(text.slice(0, at))?.groups?.event
    if (event !== undefined && !noEvent.test(event) && !agreedThere.test(text)) found.push(when)
    return undefined
  })
  return found
}

/** Texts or titles: “invoice 1041” and “invoice 1042”, “customer a-17” and “customer a-18”, “Monday call” and “Friday call”. */
export const areOtherThings = (a: string, b: string) => areOther(thingsIn(a), thingsIn(b))

/** The same of titles, which are short: each is compared with many others. */
export const haveOtherTitles = (a: Titled, b: Titled) => areOther(thingsInTitle(a.title), thingsInTitle(b.title))

interface Titled {
  title: string
}

/** What a text names that only a number, a code or a time tells from others of its kind. */
export interface Things {
  numbered: readonly string[]
  byTime: readonly string[]
  events: readonly When[]
  codes: readonly string[]
  /** Of the codes. */
  shapes: readonly string[]
  /** The thing with its number that begins a sentence, and the thing alone. */
  subject: { whole: string; thing: string | undefined } | null
}

/** Reading takes far longer than comparing: read a text once if it is compared with many others. */
export function thingsIn(text: string): Things {
  const codes = codesIn(text)
  const subject = numberedSubject.exec(text)
  return {
    numbered: wordsIn(numbered, text),
    byTime: wordsIn(namedByTime, text),
    events: eventDaysIn(text),
    codes,
    shapes: codes.map(shapeOf),
    subject: subject && { whole: subject[0].toLowerCase(), thing: subject.groups?.thing?.toLowerCase() },
  }
}

const thingsInTitle = oncePerText(2_000, thingsIn)

/** As areOtherThings. */
export function areOther(one: Things, other: Things): boolean {
  if (eachHasOwn(one.numbered, other.numbered) || eachHasOwn(one.byTime, other.byTime)) return true
  if (haveOtherCodes(one, other) || allDatesDiffer(one.events, other.events)) return true
  if (one.subject === null || other.subject === null) return false
  return one.subject.thing === other.subject.thing && one.subject.whole !== other.subject.whole
}

/** Names that differ only in their digits or in a letter before them: “A-17” and “B-18”, “entry 0056” and “entry 0007”. */
function haveOtherCodes(one: Things, other: Things): boolean {
  if (one.codes.some((name) => other.codes.includes(name))) return false
  return one.shapes.some((shape) => other.shapes.includes(shape))
}

const codesIn = (text: string): string[] => [
  ...(text.match(/(?<![\p{L}\p{N}_./-])\p{L}[\p{L}\p{N}_./-]*/gu) ?? []).filter(
    (name) => /\d/.test(name) && /[-_./]/.test(name.slice(0, -1)),
  ),
  ...(text.match(/(?<![\p{L}\p{N}_.,:/+-])0\d{2,}(?![\p{L}\p{N}_/-]|[.,:]\d)/gu) ?? []),
]
const shapeOf = (name: string) => name.replace(/\d+/g, '0').replace(/^\p{L}(?=[-_.]0)/u, 'A')

const haveOthers = (pattern: RegExp, a: string, b: string) => eachHasOwn(wordsIn(pattern, a), wordsIn(pattern, b))

/** Each has some that the other has not. */
const eachHasOwn = (one: readonly string[], other: readonly string[]) =>
  one.some((word) => !other.includes(word)) && other.some((word) => !one.includes(word))

const wordsIn = (pattern: RegExp, text: string): string[] => (text.match(pattern) ?? []).map(singular)
const singular = (word: string) => word.toLowerCase().replaceAll('-', ' ').replace(/s$/, '')

const events = [
  /\bsign(?:s|ed|ing)?\b/i,
  /\b(?:effect|start|begin|open|launch|live)(?:s|ed|ing|ning)?\b/i,
  /\brenew(?:s|ed|ing|al)?\b/i,
  /\b(?:valid|(?:end|clos|expir|run|laps)(?:e|es|ed|s|ing)?)\b/i,
  /\b(?:inspect|audit|review|visit)(?:s|ed|ing)?\b/i,
  /\bnotice\b/i,
]
const eventsIn = (text: string) => events.filter((event) => event.test(text))
/** “Was signed on 4 March” and “took effect on 1 April”. */
export function haveOtherEvents(a: string, b: string): boolean {
  const [one, other] = [eventsIn(a), eventsIn(b)]
  return one.length > 0 && other.length > 0 && !one.some((event) => other.includes(event))
}
