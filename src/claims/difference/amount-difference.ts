/** Two amounts that cannot both be right, each in its statement. */
import type { Amount, Bound } from '../reading/amounts.ts'
import { boundOf, haveOtherMeasures, isSumOfOther, leaveRoom } from '../reading/modality.ts'
import type { Statement } from '../reading/statement.ts'
import { amountsDiffer, type Value } from '../reading/values.ts'
import { isEmpty } from '../reading/vocabulary.ts'
import { haveOtherTimes } from './scope.ts'

interface Amounts {
  one: Amount
  other: Amount
  /** The statement of each. */
  a: Statement
  b: Statement
}

export const amountsConflict = (amounts: Amounts) =>
  !mayBothHold.some((holds) => holds(amounts) || holds(swapped(amounts))) &&
  amountsDiffer(amounts.one, amounts.other, [boundIn(amounts.a, amounts.one), boundIn(amounts.b, amounts.other)])

const swapped = ({ one, other, a, b }: Amounts): Amounts => ({ one: other, other: one, a: b, b: a })

/** What lets both be right; each is asked in both directions. */
const mayBothHold: readonly ((amounts: Amounts) => boolean)[] = [
  ({ one, a, b }) => isSumOfOther(a.text, b.text, one),
  isOfOtherThing,
  isOfferedBeside,
  ({ a, b }) => haveOtherMeasures(a.text, b.text) || haveOtherTimes(a.text, b.text),
  ({ one, a }) => one.dimension.startsWith('version') && tellsFix.test(a.text),
  // 99.9 % succeed, or 0.1 % fail
  ({ one, other }) =>
    one.dimension === 'share' && other.dimension === 'share' && Math.abs(one.low + other.low - 100) < 1e-6,
  // “takes 40 minutes” and “is kept for 35 days”
  ({ one, a, b }) => one.dimension === 'time' && takesLong.test(a.text) && isKept.test(b.text),
  // “should load in 2 s” is a goal, and “loads in 5 s” was measured
  ({ one, other, a, b }) => isAimedAt(a, one) && !isAimedAt(b, other),
  // a budget, and what was spent
  ({ a, b }) => isAllowed.test(a.text) && isSpent.test(b.text) && !isAllowed.test(b.text),
  haveOtherRates,
  countOtherThings,
]

/** The bound that its sentence gives: “the limit is 5”, “needs Windows 11”. It belongs to the value that has one of its own. */
function boundIn({ clause, text, values }: Statement, { dimension }: Amount): Bound {
  if (values.some((value) => value.type === 'amount' && value.bound !== '')) return ''
  // “…, because the flag state may ask for them” limits nothing
  const bound = boundOf(text.replace(/\bmay\b/gi, ' ')) || boundOf(clause)
  return bound || (dimension.startsWith('version') && requires.test(text) ? 'min' : '')
}
const requires = /\b(?:needs?|requires?|must)\b/i

/** “Version 7 of the fleet API” is no version of OpenAPI. */
function isOfOtherThing({ one: bare, other: named, a }: Amounts): boolean {
  const [next, ...further] = tokensAfter(a, bare)
  if (bare.dimension !== 'version' || named.dimension === 'version' || next?.lower !== 'of') return false
  return !further.slice(0, 4).some(({ meaning }) => named.dimension === `version ${meaning}`)
}

/** “The API offers version 2” and “version 3 is still served”: several versions of one thing are in use. */
function isOfferedBeside({ one, other, a, b }: Amounts): boolean {
  if (one.dimension !== 'version' || other.dimension !== 'version') return false
  return offers.test(a.text) && leaveRoom(a, b)
}
const offers =
  /\b(?:in v(?:ersion )?\d|kept running|offer(?:s|ed)?|ha(?:s|ve) an?|serve[sd]?|support(?:s|ed)?|speaks?|can use|still|available)\b/i

/** A fault of one version is mended in the next. */
const tellsFix = /\b(?:corrected|fixed|put right|removed|solved) in\b/i

const takesLong = /\b(?:lasts?|takes?|took)\b/i
const isKept = /\b(?:deleted?|expires?|kept|retained?|stored?|valid)\b/i

const isAimedAt = ({ tokens }: Statement, amount: Amount) => {
  const before = tokens
    .slice(
      0,
      tokens.findIndex(({ value }) => value === amount),
    )
    .map(({ lower }) => lower)
  return /\b(?:should|ought to|(?:is|are) (?:meant to|supposed to|to))\b/.test(before.join(' '))
}

const isAllowed = /\b(?:may|can|should|must not|allowed)\b/i
const isSpent = /\b(?:amounted to|came to|cost|ended up|paid|ran to|reached|spent|took|turned out)\b/i

/** “48 pence per kWh” and “20 pence per minute”. */
function haveOtherRates({ one, other, a, b }: Amounts): boolean {
  const [rate, against] = [rateOf(a, one), rateOf(b, other)]
  return rate !== '' && against !== '' && rate !== against
}

function rateOf(statement: Statement, value: Amount): string {
  if (value.rate > 0) return 'time'
  const [next, noun] = tokensAfter(statement, value)
  return next?.lower === 'per' ? (noun?.meaning ?? '') : ''
}

/** The same amount for each of two things: “4 euros per bed” and “4 euros per user”. */
export function haveOtherBases(a: Statement, b: Statement): boolean {
  const amounts = ({ values }: Statement) =>
    values.flatMap((value) => (value.type === 'amount' && value.dimension !== 'count' ? value : []))
  return amounts(a).some((one) =>
    amounts(b).some((other) => {
      if (one.low !== other.low || one.dimension !== other.dimension) return false
      const [bases, against] = [basesOf(a, one), basesOf(b, other)]
      return bases.length > 0 && against.length > 0 && !bases.some((noun) => against.includes(noun))
    }),
  )
}

/** What an amount is for: the nouns after “per” or “for each”. */
function basesOf(statement: Statement, value: Amount): string[] {
  const next = tokensAfter(statement, value).slice(0, 8)
  return next.flatMap(({ lower }, at) => {
    if (!/^(?:per|each|every)$/.test(lower)) return []
    const noun = next
      .slice(at + 1)
      .findLast(({ meaning, lower }, nth) => nth < 2 && meaning !== '' && !isEmpty(lower) && !period.test(lower))
    return noun ? [noun.meaning] : []
  })
}
const period = /^(?:seconds?|minutes?|hours?|days?|nights?|weeks?|months?|quarters?|years?)$/

/** Counts of two things can both be right: “6 nodes” and “16 cores”. */
function countOtherThings({ one, other, a, b }: Amounts): boolean {
  if (one.dimension !== 'count') return false
  const [things, against] = [nounsAfter(a, one), nounsAfter(b, other)]
  return things.length > 0 && against.length > 0 && !things.some((noun) => against.includes(noun))
}

/** What is counted: the words that follow without an interruption. */
function nounsAfter(statement: Statement, value: Value): string[] {
  const next = tokensAfter(statement, value).slice(0, 3)
  const end = next.findIndex(({ lower, meaning }) => meaning === '' || isEmpty(lower))
  return next.slice(0, end < 0 ? undefined : end).map(({ meaning }) => meaning)
}

const tokensAfter = ({ tokens }: Statement, value: Value) =>
  tokens.slice(tokens.findIndex((token) => token.value === value) + 1)
