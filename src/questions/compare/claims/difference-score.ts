/**
 * How likely a difference between two statements is a contradiction: a logistic regression over the development pairs of
 * test/quality/claims, the pairs of test/questions/compare, and real decision records, of which hardly any contradict
 * each other. Each sign lowers the mistakes on the pairs of an author that the regression has not seen. Signs that do not,
 * such as the share of the words that both have, were removed.
 */
import type { Alignment, Rest } from './align.ts'
import { isUniversal } from './modality.ts'
import type { Statement } from './statement.ts'

export type Difference = 'number' | 'date' | 'name' | 'role' | 'negation' | 'opposite'

export interface Found {
  kind: Difference
  /** Without what differs. */
  aligned: Alignment
  /** The same number with another unit or rate. */
  isSameNumber?: boolean
  /** Names or roles differ, and values too. */
  hasValues?: boolean
  /** A denial of which both sides state a limit: “at most two”, “no more than two”. */
  isLimit?: boolean
  /** Both statements begin with the names that differ. */
  isSubject?: boolean
}

/** 0 or 1, or a share. */
export interface Signs {
  bias: number
  /** Weight of the shared words, of 5. */
  shared: number
  /** The statements have the same words. */
  exact: number
  /** Words that one side alone has, of 12: those of the side that has more. */
  ownWords: number
  /** Those of the side that has less, at most 2. */
  ownOnBoth: number
  /** Words that the rest of the other record has, of 3. */
  elsewhere: number
  /** Each side has a name that the other has not, and no name tells what differs. */
  ownNames: number
  /** Both qualify a shared word, each by another word: “spring meeting” and “autumn meeting”. */
  otherKind: number
  /** One says the same of a part only: “in winter the ferry runs every two hours”. */
  narrower: number
  /** One is a condition, a plan, or true of a part only. */
  qualified: number
  /** A value differs. */
  value: number
  valueElsewhere: number
  valueOwnNames: number
  /** A value differs, and one leaves no room for another: “all”, “only”, “must”. */
  valueUniversal: number
  /** A value differs: names that both have, of 2. */
  valueNames: number
  sameNumber: number
  /** Of a name or a role, like valueUniversal. */
  nameUniversal: number
  nameAndValue: number
  nameIsSubject: number
  limitDenied: number
}

const weights: Signs = {
  bias: -2.85,
  shared: 4.66,
  exact: 1.46,
  ownWords: -2.12,
  ownOnBoth: -0.53,
  elsewhere: -0.31,
  ownNames: -1.12,
  otherKind: -1.56,
  narrower: -0.71,
  qualified: -1.38,
  value: 0.51,
  valueElsewhere: 2.59,
  valueOwnNames: -1.13,
  valueUniversal: 1.18,
  valueNames: 1.13,
  sameNumber: 1.26,
  nameUniversal: 1.41,
  nameAndValue: -2.28,
  nameIsSubject: -1.13,
  limitDenied: -0.37,
}

export const scoreOf = (signs: Signs) =>
  (Object.keys(weights) as (keyof Signs)[]).reduce((sum, name) => sum + weights[name] * signs[name], 0)

/** The bias is lower than the regression gave, so that 19 of 20 findings are right. */
export const isLikely = (signs: Signs) => scoreOf(signs) >= 0

export function signsOf(found: Found, a: Statement, b: Statement): Signs {
  const { kind, aligned } = found
  const sides = [aligned.a, aligned.b]
  const isName = kind === 'name' || kind === 'role'
  const isValue = kind === 'number' || kind === 'date'
  const ofValue = (sign: number) => (isValue ? sign : 0)
  const elsewhere = share(aligned.a.elsewhere.length + aligned.b.elsewhere.length, 3)
  const ownNames = is(kind !== 'name' && sides.every(({ names }) => names.length > 0))
  const universal = is(isUniversal(a.text) || isUniversal(b.text))
  return {
    bias: 1,
    shared: share(aligned.shared, 5),
    exact: is(sides.every((side) => !side.isLimited && isCovered(side))),
    ownWords: share(Math.max(...sides.map(({ words }) => words.length)), 12),
    ownOnBoth: Math.min(...sides.map(({ words }) => words.length), 2),
    ...{ elsewhere, ownNames },
    otherKind: is(aligned.isOtherKind),
    narrower: is(!isName && sides.some(({ isLimited }, at) => isLimited && isCovered(sides[1 - at] as Rest))),
    qualified: is(a.isQualified || b.isQualified),
    value: ofValue(1),
    valueElsewhere: ofValue(elsewhere),
    valueOwnNames: ofValue(ownNames),
    valueUniversal: ofValue(universal),
    valueNames: ofValue(share(countShared(a.names, b.names), 2)),
    sameNumber: is(found.isSameNumber),
    nameUniversal: isName ? universal : 0,
    nameAndValue: is(found.hasValues),
    nameIsSubject: is(found.isSubject),
    limitDenied: is(found.isLimit),
  }
}

const isCovered = ({ words, names, elsewhere }: Rest) => words.length + names.length + elsewhere.length === 0
const is = (condition: boolean | undefined) => (condition ? 1 : 0)
const share = (count: number, of: number) => Math.min(count, of) / of
const countShared = (a: ReadonlySet<string>, b: ReadonlySet<string>) => [...a].filter((one) => b.has(one)).length
