/** Amounts and times in a sentence, in one form whatever way they are written. */
import { type Amount, takeAmounts } from './amounts.ts'
import { sameDate, takeDates, type When } from './dates.ts'
import { inFigures } from './numbers.ts'

export type Value = Amount | When

export interface ValuesFound {
  values: Value[]
  /** The sentence with them blanked. */
  rest: string
}

export function valuesIn(sentence: string): ValuesFound {
  const values: Value[] = []
  const take = (value: Value) => void values.push(value)
  const rest = takeAmounts(inFigures(takeDates(sentence, take)), take)
  return { values: withRate(values), rest }
}

/** “240 euros, paid yearly” is an amount a year. */
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

/** Without those that both have. */
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
  // above it, and below it
  if (a.bound !== '' && b.bound !== '' && a.bound !== b.bound) return false
  if (a.rate === b.rate) return meet(a, b)
  if (a.rate === 0 || b.rate === 0) return false
  const perSecond = (one: Amount) => ({ ...one, low: one.low / one.rate, high: one.high / one.rate })
  return meet(perSecond(a), perSecond(b))
}

/** A month is thirty days to most, “about 200” may be 213, and what lies within a range keeps it: nobody would ask. */
function meet(a: Amount, b: Amount): boolean {
  const exact = a.dimension === 'count' || a.dimension === 'money' || a.dimension === 'share' ? 1e-9 : 0.04
  const tolerance = a.isAbout || b.isAbout ? 0.25 : exact
  const room = tolerance * Math.max(Math.abs(a.high), Math.abs(b.high))
  return a.low - room <= b.high && b.low - room <= a.high
}

/** Two amounts of one dimension that cannot both be meant; `bounds` are what their sentences say of them. */
export function amountsDiffer(one: Amount, other: Amount, bounds: readonly [string, string]): boolean {
  if (one.dimension !== other.dimension) return false
  const isNumber = one.low === other.low && one.high === other.high
  // two currencies, two kinds of day, a month and a year: only where the same number stands before them
  if (one.unit !== other.unit) return isNumber && one.unit !== '' && other.unit !== ''
  if (one.rate !== other.rate) return isNumber && one.rate !== 0 && other.rate !== 0
  const [a, b] = [one.bound || bounds[0], other.bound || bounds[1]]
  if (a === b) return true
  if (a !== '' && b !== '') return false
  // a limit and what keeps within it agree
  const [limit, at, within] = a === '' ? [b, other, one] : [a, one, other]
  return limit === 'max' ? within.low > at.high : within.high < at.low
}
