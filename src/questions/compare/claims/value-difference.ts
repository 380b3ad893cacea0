/** Finds the value of two statements that stands in the same role but differs. */
import type { Alignment } from './align.ts'
import type { Amount } from './amounts.ts'
import { datesDiffer, isLater, type When } from './dates.ts'
import type { Signs } from './difference-score.ts'
import { boundOf, endOf, haveOtherMeasures, isSumOfOther } from './modality.ts'
import type { Statement } from './statement.ts'
import { amountsDiffer, type Value, valuesApart } from './values.ts'
import { isEmpty } from './vocabulary.ts'

export interface ValueDifference {
  kind: 'number' | 'date'
  signs: Pick<Signs, 'sameNumber' | 'limitOfOne'>
}

export function valueDifference(a: Statement, b: Statement, { values }: Alignment): ValueDifference | undefined {
  if (a.isDenied !== b.isDenied && values.a[0]?.type === 'date') return undefined
  // the other record may have the same value in another sentence
  const left = values.a.filter((value) => valuesApart([value], b.allValues).a.length > 0)
  const right = values.b.filter((value) => valuesApart([value], a.allValues).a.length > 0)
  const hasOthers = Math.min(left.length, right.length) > 1
  const limitOfOne = (boundOf(a.text) === '') === (boundOf(b.text) === '') ? 0 : 1
  for (const one of left) {
    for (const other of right) {
      if (one.type === 'date' && other.type === 'date') {
        if ((hasOthers && one.kind !== 'clock') || !datesConflict(one, other, a, b)) continue
        return { kind: 'date', signs: { sameNumber: 0, limitOfOne } }
      }
      if (one.type !== 'amount' || other.type !== 'amount' || hasOthers) continue
      if (!amountsConflict(one, other, a, b)) continue
      return { kind: 'number', signs: { sameNumber: one.low === other.low ? 1 : 0, limitOfOne } }
    }
  }
  return undefined
}

function amountsConflict(one: Amount, other: Amount, a: Statement, b: Statement): boolean {
  if (isSumOfOther(a.text, b.text) || isSumOfOther(b.text, a.text) || haveOtherMeasures(a.text, b.text)) return false
  const ends = [endOf(a.text), endOf(b.text)]
  if (ends.includes('begin') && ends.includes('end')) return false
  if (one.dimension === 'count' && !countsOneThing(one, other, a, b)) return false
  return amountsDiffer(one, other, [boundOf(a.text), boundOf(b.text)])
}

function countsOneThing(one: Amount, other: Amount, a: Statement, b: Statement): boolean {
  // a leading count, as in “three engineers of the team”, counts a part
  if ((a.tokens[0]?.value === one) !== (b.tokens[0]?.value === other)) return false
  const [things, against] = [nounsAfter(a, one), nounsAfter(b, other)]
  if (things.length === 0 || against.length === 0)
    return [...things, ...against].every((noun) => a.words.has(noun) && b.words.has(noun))
  return things.some((noun) => against.includes(noun))
}

/** What is counted: the words that follow without an interruption. */
function nounsAfter({ tokens }: Statement, value: Value): string[] {
  const from = tokens.findIndex((token) => token.value === value) + 1
  const next = tokens.slice(from, from + 3)
  const end = next.findIndex(({ lower, meaning }) => meaning === '' || isEmpty(lower))
  return next.slice(0, end < 0 ? undefined : end).map(({ meaning }) => meaning)
}

function datesConflict(one: When, other: When, a: Statement, b: Statement): boolean {
  const [endA, endB] = [endOf(a.text), endOf(b.text)]
  if (!datesDiffer(one, other, true)) return false
  if (endA === endB) return true
  // a date before the deadline meets it
  return endA === 'end' ? endB === '' && isLater(other, one) : endB === 'end' && endA === '' && isLater(one, other)
}
