/** Whether two sentences speak of different times, parts or events, so that both can hold. */

const month =
  '(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?)'
const day = '\\d{1,2}(?:st|nd|rd|th)?'
const time = new RegExp(
  `\\b(?:${day}(?: (?:to|and) ${day})? (?:of )?${month}(?: \\d{4})?|${month}(?: \\d{1,4})?|Q[1-4]|(?:19|20)\\d\\d|spring|summer|autumn|winter|(?:first|second|third|fourth) quarter)\\b`,
  'g',
)
/** “The week from 3 to 9 March” and “the week of 17 to 23 March”. */
export const haveOtherTimes = (a: string, b: string) => haveOthers(time, a, b)

const parts = [
  /\b(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)days?\b|\bweek(?:end|day)s?\b/gi,
  /\b(?:production|prod|staging|test(?:ing)?|development|dev|sandbox|demo|local(?:ly)?|preview)\b/gi,
  /\b(?:internal|external|public|private)\b/gi,
  /\b(?:adult|children|student|senior|staff|visitor|guest|member)s?\b/gi,
  /\b(?:monthly|yearly|annual|weekly|daily)\b/gi,
  /\b(?:read|write)s?\b/gi,
  /\b(?:android|ios|web|desktop|mobile)\b/gi,
  /\b(?:morning|evening|night|afternoon)s?\b/gi,
  /\b(?:spring|summer|autumn|winter)\b/gi,
  /\b(?:free|basic|standard|pro|professional|premium|business|team|enterprise|gold|silver|bronze) (?=(?:plan|tier|level|edition|package|customer|sponsor|partner|account)s?\b)/gi,
]
/** “In production” and “on staging”, “on Mondays” and “on Saturdays”. */
export const haveOtherScopes = (a: string, b: string) =>
  parts.some((words) => haveOthers(words, a, b)) || areBothSides(a, b) || areBothSides(b, a)

/** “Above 10,000 euros” and “up to 10,000 euros”. */
function areBothSides(a: string, b: string): boolean {
  const above = amountsAfter(/\b(?:above|over|more than|from|exceeding) \W?(\d[\d.,]*)/gi, a)
  return amountsAfter(/\b(?:below|under|up to|less than|fewer than|at most) \W?(\d[\d.,]*)/gi, b).some((amount) =>
    above.includes(amount),
  )
}
const amountsAfter = (pattern: RegExp, text: string) => [...text.matchAll(pattern)].map(([, amount]) => amount)

/** What begins a sentence and has a number is a thing of its own. */
const numberedSubject =
  /^\P{L}*(?:the |our |an? )?(?<thing>\p{L}+) (?:(?:number|no\.?) |#)?\d+(?![\p{L}\p{N}%€$]|[.,:]\d)/iu
const numbered =
  /\b(?:rooms?|racks?|gates?|lines?|floors?|halls?|bays?|docks?|zones?|wards?|lanes?|tables?|lots?|batch|warehouse|terminal|building|unit|machine|press|pump|crane|shard|partition|invoice|ticket|sprint|phase|step|chapter|section|article|annex|appendix|platform|route|bus|tram) \d+/gi
/** “Invoice 1041” and “invoice 1042”, “customer a-17” and “customer a-18”. */
export function areOtherNumbers(a: string, b: string): boolean {
  if (haveOthers(numbered, a, b) || haveOtherCodes(a, b)) return true
  const [one, other] = [a, b].map((text) => numberedSubject.exec(text)) as [
    RegExpExecArray | null,
    RegExpExecArray | null,
  ]
  const isOneKind = one?.groups?.thing?.toLowerCase() === other?.groups?.thing?.toLowerCase()
  return one !== null && other !== null && isOneKind && one[0].toLowerCase() !== other[0].toLowerCase()
}

/** Names that differ in their digits only. */
function haveOtherCodes(a: string, b: string): boolean {
  const [one, other] = [codesIn(a), codesIn(b)]
  if (one.some((name) => other.includes(name))) return false
  const shapes = new Set(other.map(withoutDigits))
  return one.some((name) => shapes.has(withoutDigits(name)))
}

const codesIn = (text: string): string[] =>
  (text.match(/(?<![\p{L}\p{N}_./-])\p{L}[\p{L}\p{N}_./-]*/gu) ?? []).filter(
    (name) => /\d/.test(name) && /[-_./]/.test(name.slice(0, -1)),
  )
const withoutDigits = (name: string) => name.replace(/\d+/g, '0')

/** Both have some of them, and none in common. */
function haveOthers(pattern: RegExp, a: string, b: string): boolean {
  const [one, other] = [a, b].map((text) => (text.match(pattern) ?? []).map(singular)) as [string[], string[]]
  return one.length > 0 && other.length > 0 && !one.some((word) => other.includes(word))
}

const singular = (word: string) => word.toLowerCase().replace(/s$/, '')

const rest = /\b(?:else|others?|rest|remaining|another|except|apart from|aside|besides)\b/i
const past =
  /\bwhen\b.*\bwas (?:started|created|founded|built|set up)|\bin (?:19|20)\d\d\b.*\bwas\b|\b(?:was|were) (?:\w+ )?(?:planned|meant|designed|intended)\b/i
/** One speaks of the rest (“everyone else”), or of what was once meant. */
export const isOfOthersOrPast = (a: string, b: string) => rest.test(a) !== rest.test(b) || past.test(a) !== past.test(b)

const events = [
  /\bsign(?:s|ed|ing)?\b/i,
  /\b(?:effect|start|begin|open|launch|live)(?:s|ed|ing|ning)?\b/i,
  /\b(?:end|clos|expir|run|laps)(?:e|es|ed|s|ing)?\b/i,
  /\bfil(?:e|es|ed|ing)\b/i,
  /\b(?:publish|releas)(?:e|es|ed|ing)?\b/i,
  /\b(?:deliver|arriv|ship)(?:e|es|ed|s|ing|ped)?\b/i,
  /\b(?:happen|occur)(?:s|ed|red)?\b/i,
  /\b(?:inspect|audit|review|visit)(?:s|ed|ing)?\b/i,
  /\b(?:decid|vot|approv)(?:e|es|ed|ing)\b/i,
  /\b(?:announc|tell|inform)(?:e|es|ed|s|ing)?\b/i,
  /\b(?:pay|invoic|bill)(?:e|es|ed|s|ing)?\b/i,
  /\border(?:s|ed|ing)?\b/i,
]
const eventsIn = (text: string) => events.filter((event) => event.test(text))
/** “Was signed on 4 March” and “took effect on 1 April”. */
export function haveOtherEvents(a: string, b: string): boolean {
  const [one, other] = [eventsIn(a), eventsIn(b)]
  return one.length > 0 && other.length > 0 && !one.some((event) => other.includes(event))
}
