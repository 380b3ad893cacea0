/** Finds amounts and times in a sentence, normalizes them, and compares them. */
import { type Amount, amountOf, takeAmounts } from './amounts.ts'
import { sameDate, takeDates, type When } from './dates.ts'
import { inFigures } from './numbers.ts'
import { meaningOf, stemOf } from './vocabulary.ts'

export type Value = Amount | When

interface ValuesFound {
  values: Value[]
  /** The sentence with each value replaced by a mark. */
  rest: string
  /** The value of a mark; undefined for any other word. */
  at(mark: string): Value | undefined
}

const firstMark = 0xe100
const mostValues = 256
/** Characters for private use. */
export const valueMark = /[\ue100-\ue1ff]/

export function valuesIn(sentence: string): ValuesFound {
  const values: Value[] = []
  const take = (value: Value) => String.fromCharCode(firstMark + Math.min(mostValues, values.push(value)) - 1)
  const plain = sentence.replace(new RegExp(valueMark, 'g'), ' ')
  const rest = takeAmounts(inFigures(takeVersions(takeDates(plain, take), take)), take)
  return { values, rest, at: (mark) => (valueMark.test(mark) ? values[mark.charCodeAt(0) - firstMark] : undefined) }
}

/** “Node 20”, “TLS 1.3”, “port 8080”, “version 3”, “pinned at 1.8.2”: the number of a version, not a count. */
const labelled =
  /(?<![\p{L}\p{N}_.-])(?<label>version|release|firmware|port|edition|revision|\p{Lu}[\p{L}\p{N}.]*[\p{L}\p{N}]|i\p{Lu}\p{L}+)(?: |: )(?:version )?(?:(?<bound>at least|at most) )?v?(?<number>\d+(?:\.\d+){0,3})(?![\p{L}\p{N}%€$]|[.,:]\d|-\d| ?(?:%|percent|[kmgt]i?b\b)| (?:of|out of) (?:the )?\d)/gu
const bare = /(?<![\p{L}\p{N}.,/])(?:v\.?(?<v>\d+(?:\.\d+){0,3})|(?<number>\d+\.\d+\.\d+))(?![\p{L}\p{N}%]|\.\d)/gu
const noLabel =
  /^(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec|Q|H|EUR|USD|CHF|GBP|Mon|Tue|Wed|Thu|Fri|Sat|Sun|The|All|About|Only|Our|We|At|In|On|To|By|For|From|Up|Over|Under|Max|Min|Of|Only|And|Or|Around|Between|After|Before|Within|Every|Each|With|Has|Have|Are|Is|There|These|Those|Last|First|Next|Than|Most|Least|More|Less)$/i

function takeVersions(text: string, take: (value: Value) => string): string {
  const taken = (label: string, number: string, bound?: string) => {
    const thing = meaningOf(stemOf(label.toLowerCase()))
    // Java 8 is also called 1.8
    const named = thing === 'java' ? number.replace(/^1\./, '') : number
    const [major = 0, minor = 0, patch = 0] = named.split('.').map(Number)
    const at = major * 1e6 + minor * 1e3 + patch
    const dimension = /^(?:version|release|revision|v)?$/i.test(label) ? 'version' : `version ${thing}`
    return ` ${label} ${take({ ...amountOf(at, dimension), written: at, bound: boundNamed(bound) })} `
  }
  return text
    .replace(labelled, (found, label: string, bound: string | undefined, number: string) =>
      noLabel.test(label) ? found : taken(label, number, bound),
    )
    .replace(bare, (_, v?: string, number?: string) => taken('', (v ?? number) as string))
}

const boundNamed = (words = ''): Amount['bound'] => (words === '' ? '' : words === 'at least' ? 'min' : 'max')

interface Apart {
  a: Value[]
  b: Value[]
}

/** The values that only one side has. */
export function valuesApart(a: readonly Value[], b: readonly Value[]): Apart {
  const rest = [...b]
  const onlyA = a.filter((value) => {
    const at = rest.findIndex((other) => isSame(value, other))
    if (at >= 0) rest.splice(at, 1)
    return at < 0
  })
  return { a: onlyA, b: rest }
}

function isSame(a: Value, b: Value): boolean {
  if (a.type === 'date') return b.type === 'date' && sameDate(a, b)
  return b.type === 'amount' && sameAmount(a, b)
}

function sameAmount(a: Amount, b: Amount): boolean {
  if (areVersions(a, b)) return a.low === b.low
  if (a.dimension !== b.dimension || haveOtherUnits(a, b)) return false
  // “no deeper than 8” and “9 and more are refused”
  if (areNeighbours(a, b)) return true
  // “more than 5” and “less than 5” differ
  if (a.bound !== '' && b.bound !== '' && a.bound !== b.bound) return false
  if (a.dimension.startsWith('version')) return a.low === b.low
  if (a.rate === b.rate || a.rate === 0 || b.rate === 0) return overlap(a, b)
  const perSecond = (one: Amount) => ({ ...one, low: one.low / one.rate, high: one.high / one.rate })
  return overlap(perSecond(a), perSecond(b))
}

/** A cent may be one of any currency. */
const haveOtherUnits = (a: Amount, b: Amount) =>
  a.unit !== b.unit && !(a.dimension === 'money' && (a.unit === '' || b.unit === ''))

const areNeighbours = (a: Amount, b: Amount) =>
  a.dimension === 'count' && a.bound !== '' && b.bound !== '' && Math.abs(a.low - b.low) === 1

const isExact: ReadonlySet<string> = new Set(['count', 'money', 'share'])

/** Whether the ranges overlap, with a tolerance: a month is about 30 days, 1 GB may be meant as 1 GiB, “about 200” may be 213. */
function overlap(a: Amount, b: Amount): boolean {
  const exact = isExact.has(a.dimension) ? 1e-9 : a.dimension === 'size' ? 0.08 : 0.04
  const tolerance = a.isAbout || b.isAbout ? 0.25 : exact
  const room = tolerance * Math.max(Math.abs(a.high), Math.abs(b.high))
  return a.low - room <= b.high && b.low - room <= a.high
}

/** Whether two amounts of one dimension cannot both be right. `bounds`: “at most” or “at least” of their sentences. */
export function amountsDiffer(one: Amount, other: Amount, bounds: readonly [string, string]): boolean {
  if (isWeightOf(one, other) || isWeightOf(other, one)) return one.written === other.written
  if (one.dimension !== other.dimension && !areVersions(one, other)) return false
  const isNumber = one.low === other.low && one.high === other.high
  // two currencies, two kinds of day, per month and per year: only if the number is the same
  if (one.unit !== other.unit) return isNumber && one.unit !== '' && other.unit !== ''
  if (one.rate !== other.rate && one.rate !== 0 && other.rate !== 0) return isNumber
  if (one.rate !== other.rate && isPeriods(one.low / other.low)) return false
  const [a, b] = [one.bound || bounds[0], other.bound || bounds[1]]
  if (a === b) return true
  if (a !== '' && b !== '') return false
  // a limit and an amount within it agree
  const [limit, at, within] = a === '' ? [b, other, one] : [a, one, other]
  return limit === 'max' ? within.low > at.high : within.high < at.low
}

/** Pounds may be a weight: “500 kg” and “500 pounds”. */
const isWeightOf = (one: Amount, { isPounds }: Amount) => one.dimension === 'mass' && isPounds

/** “Redis 7” and “a Redis of version 6”. */
const areVersions = (one: Amount, other: Amount) =>
  [one, other].every(({ dimension }) => dimension.startsWith('version')) &&
  [one, other].some(({ dimension }) => dimension === 'version')

/** A price a year is twelve times the price a month. */
const isPeriods = (factor: number) =>
  [4, 7, 12, 24, 52, 60, 365].some((times) => Math.abs(Math.max(factor, 1 / factor) - times) < 0.1)
