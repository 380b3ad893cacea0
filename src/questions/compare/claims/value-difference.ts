/** Finds the value of two statements that stands in the same role but differs. */
import type { Alignment } from './align.ts'
import type { Amount, Bound } from './amounts.ts'
import { haveOtherUnits } from './bare-units.ts'
import { datesDiffer, isLater, type When } from './dates.ts'
import type { Found } from './difference-score.ts'
import { boundOf, endOf, haveOtherMeasures, isSumOfOther, isUniversal } from './modality.ts'
import { haveOtherEvents, haveOtherTimes } from './scope.ts'
import type { Statement } from './statement.ts'
import { amountsDiffer, type Value, valuesApart } from './values.ts'
import { isEmpty } from './vocabulary.ts'

/** A number before a date. */
export function valueDifference(a: Statement, b: Statement, aligned: Alignment): Found | undefined {
  const { values } = aligned
  // the other record may have the same value in another sentence
  const left = values.a.filter((value) => valuesApart([value], b.allValues).a.length > 0)
  const right = values.b.filter((value) => valuesApart([value], a.allValues).a.length > 0)
  const ofBoth = (type: Value['type']) => [left, right].every((some) => some.some((value) => value.type === type))
  // measured at two times, or two events
  if (ofBoth('date') && ofBoth('amount')) return undefined
  const pairs = left.flatMap((one) => right.map((other) => [one, other] as const))
  const amounts = pairs.flatMap(([one, other]) =>
    one.type === 'amount' && other.type === 'amount' && amountsConflict(one, other, a, b) ? [{ one, other }] : [],
  )
  if (amounts.length > 0) {
    const isSameNumber = amounts.some(({ one, other }) => one.low === other.low)
    const isOtherUnit = !isSameNumber && amounts.some(({ one, other }) => one.written === other.written)
    return { kind: 'number', aligned, isSameNumber, isOtherUnit }
  }
  if (values.a.length + values.b.length === 0 && a.isDenied === b.isDenied && haveOtherUnits(a, b)) {
    return { kind: 'number', aligned, isOtherUnit: true }
  }
  if (a.isDenied !== b.isDenied || haveOtherEvents(a.text, b.text)) return undefined
  // two periods: “from 20 December until 4 January” in one year and in another
  const areDays = (values: readonly Value[]) =>
    values.filter((one) => one.type === 'date' && one.kind !== 'clock').length > 1
  if (areDays(left) && areDays(right)) return undefined
  const differ = pairs.some(
    ([one, other]) => one.type === 'date' && other.type === 'date' && datesConflict(one, other, a, b),
  )
  return differ ? { kind: 'date', aligned } : undefined
}

function amountsConflict(one: Amount, other: Amount, a: Statement, b: Statement): boolean {
  if (isSumOfOther(a.text, b.text, one) || isSumOfOther(b.text, a.text, one)) return false
  if (isOfOtherThing(one, other, a) || isOfOtherThing(other, one, b)) return false
  if (mayBothBeOffered(one, other, a, b)) return false
  if (haveOtherMeasures(a.text, b.text) || haveOtherTimes(a.text, b.text)) return false
  // a leading count, as in “three engineers of the team”, counts a part
  if (one.dimension === 'count' && isLeading(one, a) !== isLeading(other, b)) return false
  if (
    isMore(one, a) ||
    isMore(other, b) ||
    (one.dimension.startsWith('version') && (tellsFix.test(a.text) || tellsFix.test(b.text)))
  )
    return false
  // 99.9 % succeed, or 0.1 % fail
  if (one.dimension === 'share' && other.dimension === 'share' && Math.abs(one.low + other.low - 100) < 1e-6)
    return false
  if (haveOtherRates(one, other, a, b)) return false
  if (one.dimension === 'count' && countOtherThings(one, other, a, b)) return false
  return amountsDiffer(one, other, [boundIn(a, one), boundIn(b, other)])
}

const isLeading = (value: Amount, { tokens }: Statement) =>
  tokens[0]?.value === value && value.bound === '' && tokens.slice(1, 5).some(({ lower }) => lower === 'of')

/** The bound that its sentence gives: “the limit is 5”, “needs Windows 11”. It belongs to the value that has one of its own. */
function boundIn({ text, values }: Statement, { dimension }: Amount): Bound {
  if (values.some((value) => value.type === 'amount' && value.bound !== '')) return ''
  return boundOf(text) || (dimension.startsWith('version') && requires.test(text) ? 'min' : '')
}
const requires = /\b(?:needs?|requires?|must)\b/i

/** “Version 7 of the fleet API” is no version of OpenAPI. */
function isOfOtherThing(bare: Amount, named: Amount, { tokens }: Statement): boolean {
  const at = tokens.findIndex((token) => token.value === bare)
  if (bare.dimension !== 'version' || named.dimension === 'version' || tokens[at + 1]?.lower !== 'of') return false
  return !tokens.slice(at + 2, at + 6).some(({ meaning }) => named.dimension === `version ${meaning}`)
}

/** “The API offers version 2” and “version 3 is still served”: several versions of one thing are in use. */
const mayBothBeOffered = (one: Amount, other: Amount, a: Statement, b: Statement) =>
  [one, other].every(({ dimension }) => dimension === 'version') &&
  [a, b].some(({ text }) => offers.test(text)) &&
  ![a, b].some(({ text }) => isUniversal(text))
const offers =
  /\b(?:in v(?:ersion )?\d|kept running|offer(?:s|ed)?|ha(?:s|ve) an?|serve[sd]?|support(?:s|ed)?|speaks?|can use|still|available)\b/i

/** “One more signature” beside those that the other statement counts. */
function isMore(value: Amount, { tokens }: Statement): boolean {
  const at = tokens.findIndex((token) => token.value === value)
  return /^(?:more|additional|extra|further|other)$/.test(tokens[at + 1]?.lower ?? '')
}

/** Of two versions of one thing. */
const tellsFix = /\b(?:corrected|fixed|put right|removed|solved) in\b/i

/** “48 pence per kWh” and “20 pence per minute”. */
function haveOtherRates(one: Amount, other: Amount, a: Statement, b: Statement): boolean {
  const [rate, against] = [rateOf(a, one), rateOf(b, other)]
  return rate !== '' && against !== '' && rate !== against
}

function rateOf({ tokens }: Statement, value: Amount): string {
  const at = tokens.findIndex((token) => token.value === value)
  if (value.rate > 0) return 'time'
  return tokens[at + 1]?.lower === 'per' ? (tokens[at + 2]?.meaning ?? '') : ''
}

/** “6 nodes” and “16 cores”. */
function countOtherThings(one: Amount, other: Amount, a: Statement, b: Statement): boolean {
  const [things, against] = [nounsAfter(a, one), nounsAfter(b, other)]
  return things.length > 0 && against.length > 0 && !things.some((noun) => against.includes(noun))
}

/** What is counted: the words that follow without an interruption. */
function nounsAfter({ tokens }: Statement, value: Value): string[] {
  const from = tokens.findIndex((token) => token.value === value) + 1
  const next = tokens.slice(from, from + 3)
  const end = next.findIndex(({ lower, meaning }) => meaning === '' || isEmpty(lower))
  return next.slice(0, end < 0 ? undefined : end).map(({ meaning }) => meaning)
}

/** “Each June”, beside a day of one year. */
const recurring =
  /\b(?:each|every) (?:year|month|week|quarter|spring|summer|autumn|winter|[A-Z]\p{L}+)|\b(?:yearly|annually)\b/u

/** “17:00 UTC” and “19:00 CEST” may be the same time. */
function haveOtherZones(a: string, b: string): boolean {
  const [one, other] = [zone.exec(a)?.[0], zone.exec(b)?.[0]]
  return one !== undefined && other !== undefined && one !== other
}
const zone = /\b(?:UTC|GMT|CES?T|EES?T|WES?T|BST|[ECMP][SD]T|JST|IST)\b/

const earliest = /\b(?:until at least|at least until|at the earliest|not before)\b/i

function datesConflict(one: When, other: When, a: Statement, b: Statement): boolean {
  if (recurring.test(a.text) !== recurring.test(b.text) && (one.year === null) !== (other.year === null)) return false
  const [endA, endB] = [endOf(a.text), endOf(b.text)]
  if (!datesDiffer(one, other, true) || haveOtherZones(a.text, b.text)) return false
  if ((earliest.test(a.text) && isLater(other, one)) || (earliest.test(b.text) && isLater(one, other))) return false
  if (endA === endB || (endA !== 'end' && endB !== 'end')) return true
  // a date before the deadline meets it
  return endA === 'end' ? endB === '' && isLater(other, one) : endB === 'end' && endA === '' && isLater(one, other)
}
