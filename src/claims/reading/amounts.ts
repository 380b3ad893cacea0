/** Finds amounts in a sentence and converts them to the base unit of their dimension: second, byte, gram, metre. */
import { units } from './units.ts'

export interface Amount {
  type: 'amount'
  /** Both ends of a range; equal for a single number. */
  low: number
  high: number
  /** time, size, mass, money, share, frequency … or count if there is no unit. */
  dimension: string
  /** Distinguishes amounts with the same dimension and value: the currency, or calendar and business days. */
  unit: string
  /** Seconds of the period, as in “per hour”; 0 if it is not a rate. */
  rate: number
  isAbout: boolean
  /** As it is written, before its conversion: 40 of “40 GB”; NaN if it is in words, such as “daily”. */
  written: number
  /** “40 pounds” may be money or a weight. */
  isPounds: boolean
  /** From the words directly before it, such as “more than” or “at most”. */
  bound: Bound
}

export type Bound = 'max' | 'min' | ''

const scales: { readonly [sign: string]: number } = {
  k: 1e3,
  m: 1e6,
  mn: 1e6,
  mio: 1e6,
  million: 1e6,
  bn: 1e9,
  billion: 1e9,
  thousand: 1e3,
  hundred: 100,
}
const unitNames = Object.keys(units)
  .sort((a, b) => b.length - a.length)
  .map((name) => name.replace('-', '[ -]').replace('$', '\\$'))
  .join('|')
const digits = "\\d{1,3}(?:[,' \u202f]\\d{3})+(?:\\.\\d+)?|\\d+(?:[.,]\\d+)?"
const about = '(?:(?<about>about|around|roughly|approximately|approx\\.?|circa|ca\\.?|some|nearly|almost|~) ?)?'
const bound =
  '(?:(?<max>at most|up to|no more than|not more than|less than|fewer than|(?:smaller|lower|shorter|younger|colder|cooler) than|under|below|within|max\\.?)|(?<min>(?:larger|greater|bigger|higher|longer|older|heavier|warmer|hotter) than|exceeding|beyond|at least|no less than|no fewer than|more than|over|above|min\\.?)) '
/** Of temperatures only: elsewhere the sign is a dash. */
const minus = (name: string) => `(?<${name}>(?<=^|[\\s(~])(?:[-−]|minus )(?=\\d))?`
const range = `(?:(?:between |from )?${minus('lowMinus')}(?<low>${digits})(?: ?°c(?= ?(?:and|to|-|–) ?(?:[-−]|minus )?[\\d.,]+ ?°))? ?(?:and|to|-|–) ?(?=\\d|[-−]\\d|minus ))?`
const scale = '(?:[ -]?(?<scale>k|m|mn|mio|bn|million|billion|thousand|hundred)(?![\\p{L}\\p{N}]))?'
const timeNames = 'seconds?|minutes?|hours?|days?|nights?|weeks?|months?|quarters?|years?|s|min|h'
/** “A second signature” is the next one, “10 requests a second” a rate. */
const article = 'an?(?! second (?!(?:per|for|from|by|in|on|at|to|and|or|with)\\b)\\p{L})'
const per = `(?:(?: ?/ ?| (?:per|${article}|each|every) )(?<rate>${timeNames})(?![\\p{L}\\p{N}]))?`
const amountPattern = new RegExp(
  `(?<![\\p{L}\\p{N}.,_/#:-])(?:${bound})?${about}(?<sign>[$€£]|(?:usd|eur|chf|gbp) )?${range}${minus('minus')}(?<digits>${digits})${scale}(?:[ -]?(?<unit>${unitNames})(?![\\p{L}\\p{N}]))?(?![\\p{L}\\p{N}]|[.,:]\\d|-\\d)${per}`,
  'giu',
)

type Groups = { readonly [name: string]: string | undefined }

/** Calls `take` for each amount; returns the text with the amounts and their words replaced by spaces. */
export function takeAmounts(text: string, take: (amount: Amount) => string): string {
  const hours = text.replace(
    partOfHour,
    (_, part: string) => `${minutesOf[part.toLowerCase().replace('3', 'three')]} min`,
  )
  const fractions = hours.replace(
    oneIn,
    (_, part: string, whole: string) => `${(100 * Number(part)) / Number(whole)} %`,
  )
  const rest = fractions
    .replace(shares, (_, word: string) => `${shareOf[word.toLowerCase()]} % of`)
    .replace(inAnHour, (_, unit: string) => ` 1 ${unit}`)
    .replace(
      hourAnd,
      (_, hours: string, minutes: string) => `${60 * (hours === 'an' ? 1 : Number(hours)) + Number(minutes)} min`,
    )
    .replace(andAHalf, (_, hours: string) => `${90 + 60 * ((hours === 'an' ? 1 : Number(hours)) - 1)} min`)
  const regular = rest.replace(everyPattern, (_, many: string | undefined, unit: string) => {
    const [, factor] = units[unit.toLowerCase()] as readonly [string, number, string]
    return taken(take, amountOf(Number(many ?? 1) * factor, 'frequency'))
  })
  const times = regular.replace(timesPattern, (_, many: string, period: string) => {
    const count = many.toLowerCase() === 'once' ? 1 : many.toLowerCase() === 'twice' ? 2 : Number.parseInt(many, 10)
    return taken(take, amountOf(secondsOf(period) / count, 'frequency'))
  })
  const adverbs = times
    .replace(counted, (found, many: string, what: string, period: string) =>
      units[what.toLowerCase().replace(' ', '-')] ? found : `${many} per ${period} ${what}`,
    )
    .replace(adverbPattern, (found) =>
      taken(take, amountOf(frequencyAdverbs[found.toLowerCase()] as number, 'frequency')),
    )
  return adverbs.replace(amountPattern, (found, ...more) => {
    const amount = read(more.at(-1) as Groups)
    return amount ? taken(take, amount) : found
  })
}

/** “Half an hour”, “three quarters of an hour”. */
const partOfHour = /\b(?:an? )?(half|quarter|(?:three|3) quarters)(?: of)? an hour\b/gi
const minutesOf: { readonly [part: string]: number } = { half: 30, quarter: 15, 'three quarters': 45 }
const oneIn = /(?<![\p{L}\p{N}.,])(\d+) (?:in|out of|of) (?:a |every |each )?(\d+)(?![\p{L}\p{N}%]|[.,]\d)/giu
const shares = /\b(?:an? |one |1 )?(half|third|quarter|fifth|tenth) of\b/gi
const shareOf: { readonly [word: string]: number } = { half: 50, third: 100 / 3, quarter: 25, fifth: 20, tenth: 10 }
/** “Within an hour”, “lasts a month”. */
const inAnHour =
  /(?<=\b(?:within|in|for|after|of|is|lasts?|takes?|every)) an? (second|minute|hour|day|week|fortnight|month|year)\b/gi
const hourAnd =
  /(?<![\p{L}\p{N}.])(\d+|an) ?(?:h|hrs?|hours?),? (?:and )?(\d+) ?(?:m|min|mins|minutes?)(?![\p{L}\p{N}])/giu
const andAHalf = /(?<![\p{L}\p{N}.])(\d+|an) hours? and a half\b/giu
const everyPattern = new RegExp(
  `\\b(?:every|each|once (?:per|in|an?|every))(?: (\\d+))? (${timeNames})(?![\\p{L}\\p{N}])`,
  'giu',
)
const timesPattern = new RegExp(
  `\\b(once|twice|\\d+ ?(?:times|x)) (?:per|an?|each|every) (${timeNames})(?![\\p{L}\\p{N}])`,
  'giu',
)
/** “600 requests a minute”. */
const counted = new RegExp(
  `(?<![\\p{L}\\p{N}.,_/#:-])(\\d[\\d.,]*(?: (?:million|thousand|billion|k|m))?) ((?:\\p{L}+ ){0,1}\\p{L}+) (?:per|${article}|each|every) (${timeNames})(?![\\p{L}\\p{N}])`,
  'giu',
)
const frequencyAdverbs: { readonly [word: string]: number } = {
  ...{
    hourly: 3600,
    daily: 86_400,
    nightly: 86_400,
    weekly: 604_800,
    fortnightly: 1_209_600,
    biweekly: 1_209_600,
    monthly: 2_629_800,
  },
  ...{ quarterly: 7_889_400, yearly: 31_557_600, annually: 31_557_600, annual: 31_557_600 },
}
const adverbPattern = new RegExp(
  `(?<![\\p{L}\\p{N}-])(?:${Object.keys(frequencyAdverbs).join('|')})(?![\\p{L}\\p{N}-]| (?!by|in|on|at|and|or|to|with|for|from|via|price|fee|cost|budget|rent|charge|salary|tariff|limit)\\p{Ll})`,
  'giu',
)

function taken(take: (amount: Amount) => string, amount: Amount): string {
  return ` ${take(amount)} `
}

/** The amount that a plain number stands for: exact, and without a unit, a rate or a bound. */
export function amountOf(value: number, dimension: string): Amount {
  return {
    type: 'amount',
    low: value,
    high: value,
    dimension,
    unit: '',
    rate: 0,
    isAbout: false,
    written: Number.NaN,
    isPounds: false,
    bound: '',
  }
}

function secondsOf(name: string): number {
  return units[name.toLowerCase()]?.[1] ?? 0
}

function read(groups: Groups): Amount | undefined {
  const { sign, low, digits: high, scale: factor, unit, rate, about: isAbout, max, min, lowMinus, minus } = groups
  const to = readNumber(high as string) * (minus === undefined ? 1 : -1)
  const from = low === undefined ? to : readNumber(low) * (lowMinus === undefined ? 1 : -1)
  if (Number.isNaN(from) || Number.isNaN(to)) return undefined
  const named = (unit ?? sign ?? '').trim().toLowerCase().replace(/ /g, '-')
  const [dimension, base, kind] = units[named] ?? ['count', 1, '']
  if (Math.min(from, to) < 0 && dimension !== 'heat') return undefined
  const times = base * (factor === undefined ? 1 : (scales[factor.toLowerCase()] as number))
  return {
    ...amountOf(Math.max(from, to) * times, dimension),
    low: Math.min(from, to) * times,
    unit: kind,
    rate: rate === undefined ? 0 : secondsOf(rate),
    isAbout: isAbout !== undefined,
    written: to,
    isPounds: named === 'pounds',
    bound: max !== undefined ? 'max' : min !== undefined ? 'min' : '',
  }
}

/** `1,000`, `1 000` and `1'000` are one thousand; `99,5` is a decimal. */
function readNumber(written: string): number {
  // ambiguous: 1.500 is 1500 in German and 1.5 in English
  if (/^[1-9]\d{0,2}\.\d{3}$/.test(written)) return Number.NaN
  if (/^\d{1,3}(?:[,' \u202f]\d{3})+(?:\.\d+)?$/.test(written)) return Number(written.replace(/[,' \u202f]/g, ''))
  return Number(written.replace(',', '.'))
}
