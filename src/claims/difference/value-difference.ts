/** Finds the value of two statements that stands in the same role but differs. */
import { datesDiffer, isLater, type When } from '../reading/dates.ts'
import { endOf } from '../reading/modality.ts'
import type { Statement } from '../reading/statement.ts'
import { type Value, valuesApart } from '../reading/values.ts'
import type { Alignment } from './align.ts'
import { amountsConflict, haveOtherBases } from './amount-difference.ts'
import { nameOtherUnits } from './bare-units.ts'
import type { Found } from './difference-score.ts'
import { haveOtherEvents } from './scope.ts'

/** Values of one statement that are compared. More of them are a table, and all pairs of two tables take seconds. */
const mostValues = 8

/** A number before a date. */
export function valueDifference(a: Statement, b: Statement, aligned: Alignment): Found | undefined {
  const { values } = aligned
  // “starts at 7” and “ends at 15”
  if (haveOtherEvents(a.text, b.text)) return undefined
  if (Math.max(values.a.length, values.b.length) > mostValues) return undefined
  // the other record may have the same value in another sentence
  const left = values.a.filter((value) => valuesApart([value], b.allValues).a.length > 0)
  const right = values.b.filter((value) => valuesApart([value], a.allValues).a.length > 0)
  const ofBoth = (type: Value['type']) => [left, right].every((some) => some.some((value) => value.type === type))
  // measured at two times, or two events
  if (ofBoth('date') && ofBoth('amount')) return undefined
  const pairs = left.flatMap((one) => right.map((other) => [one, other] as const))
  const amounts = pairs.flatMap(([one, other]) =>
    one.type === 'amount' && other.type === 'amount' && amountsConflict({ one, other, a, b }) ? [{ one, other }] : [],
  )
  if (amounts.length > 0) {
    const isSameNumber = amounts.some(({ one, other }) => one.low === other.low)
    const isOtherUnit = !isSameNumber && amounts.some(({ one, other }) => one.written === other.written)
    return { kind: 'number', aligned, isSameNumber, isOtherUnit }
  }
  if (a.isDenied === b.isDenied && haveOtherBases(a, b)) return { kind: 'number', aligned, isSameNumber: true }
  if (values.a.length + values.b.length === 0 && a.isDenied === b.isDenied && nameOtherUnits(a, b)) {
    return { kind: 'number', aligned, isOtherUnit: true }
  }
  if (a.isDenied !== b.isDenied) return undefined
  // two periods: “from 20 December until 4 January” in one year and in another
  const areDays = (values: readonly Value[]) =>
    values.filter((one) => one.type === 'date' && one.kind !== 'clock').length > 1
  if (areDays(left) && areDays(right)) return undefined
  const differ = pairs.some(
    ([one, other]) => one.type === 'date' && other.type === 'date' && datesConflict(one, other, a, b),
  )
  return differ ? { kind: 'date', aligned } : undefined
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

/** It may have happened on both days. */
const happened = /\b(?:had|there was|there were|we saw) an?\b/i

function datesConflict(one: When, other: When, a: Statement, b: Statement): boolean {
  if (happened.test(a.text) && happened.test(b.text)) return false
  if (recurring.test(a.text) !== recurring.test(b.text) && (one.year === null) !== (other.year === null)) return false
  const [endA, endB] = [endOf(a.text), endOf(b.text)]
  if (!datesDiffer(one, other) || haveOtherZones(a.text, b.text)) return false
  if (endA === endB || (endA !== 'end' && endB !== 'end')) return true
  // a date before the deadline meets it
  return endA === 'end' ? endB === '' && isLater(other, one) : endB === 'end' && endA === '' && isLater(one, other)
}
