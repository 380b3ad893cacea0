/** Finds amounts and times in a sentence, normalizes them, and compares them. */
import { type Amount, takeAmounts } from './amounts.ts'
import { sameDate, takeDates, type When } from './dates.ts'
import { inFigures } from './numbers.ts'

export type Value = Amount | When

export interface ValuesFound {
  values: Value[]
  /** The sentence with the values replaced by spaces. */
  rest: string
}

export function valuesIn(sentence: string): ValuesFound {
  const values: Value[] = []
  const take = (value: Value) => void values.push(value)
  const rest = takeAmounts(inFigures(takeDates(sentence, take)), take)
  return { values: withRate(values), rest }
}

/** “240 euros, paid yearly” becomes 240 euros per year. */
function withRate(values: readonly Value[]): Value[] {
  const amounts = values.filter((value): value is Amount => value.type === 'amount' && value.dimension !== 'frequency')
  const often = values.find((value): value is Amount => value.type === 'amount' && value.dimension === 'frequency')
  const [only, ...more] = amounts
  if (!often || !only || more.length > 0 || only.dimension === 'time') return [...values]
  const rated = only.rate === 0 ? { ...only, rate: often.low } : only
  return values.filter((value) => value !== often).map((value) => (value === only ? rated : value))
}

export interface Apart {
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
  if (a.dimension !== b.dimension || a.unit !== b.unit) return false
  // “more than 5” and “less than 5” differ
  if (a.bound !== '' && b.bound !== '' && a.bound !== b.bound) return false
  if (a.rate === b.rate) return overlap(a, b)
  if (a.rate === 0 || b.rate === 0) return false
  const perSecond = (one: Amount) => ({ ...one, low: one.low / one.rate, high: one.high / one.rate })
  return overlap(perSecond(a), perSecond(b))
}

/** Whether the ranges overlap, with a tolerance: a month is about 30 days, and “about 200” may be 213. */
function overlap(a: Amount, b: Amount): boolean {
  const exact = a.dimension === 'count' || a.dimension === 'money' || a.dimension === 'share' ? 1e-9 : 0.04
  const tolerance = a.isAbout || b.isAbout ? 0.25 : exact
  const room = tolerance * Math.max(Math.abs(a.high), Math.abs(b.high))
  return a.low - room <= b.high && b.low - room <= a.high
}

/** Whether two amounts of one dimension cannot both be right. `bounds`: “at most” or “at least” of their sentences. */
export function amountsDiffer(one: Amount, other: Amount, bounds: readonly [string, string]): boolean {
  if (one.dimension !== other.dimension) return false
  const isNumber = one.low === other.low && one.high === other.high
  // two currencies, two kinds of day, per month and per year: only if the number is the same
  if (one.unit !== other.unit) return isNumber && one.unit !== '' && other.unit !== ''
  if (one.rate !== other.rate) return isNumber && one.rate !== 0 && other.rate !== 0
  const [a, b] = [one.bound || bounds[0], other.bound || bounds[1]]
  if (a === b) return true
  if (a !== '' && b !== '') return false
  // a limit and an amount within it agree
  const [limit, at, within] = a === '' ? [b, other, one] : [a, one, other]
  return limit === 'max' ? within.low > at.high : within.high < at.low
}
