/**
 * How likely a difference between two statements is a contradiction: a logistic regression over the development pairs of
 * test/quality/claims, and over records of test/quality/brief that are near each other, of which hardly any contradict each
 * other. A pair that does not contradict counts twice, because a wrong question costs more than a missed one. Each sign
 * lowers the mistakes on the pairs of an author that the regression has not seen; signs that do not were removed. The
 * weight of `valueExact` was raised by hand, because nearly all of these findings are right. That of `denialUniversal` was set
 * by hand.
 */
import { common } from '../reading/common.ts'
import { deniesAll, isUniversal } from '../reading/modality.ts'
import type { Statement } from '../reading/statement.ts'
import type { Alignment, Rest } from './align.ts'

export type Difference = 'number' | 'date' | 'name' | 'role' | 'negation' | 'opposite' | 'list'

export interface Found {
  kind: Difference
  /** Without what differs. */
  aligned: Alignment
  /** The same number with another unit or rate. */
  isSameNumber?: boolean
  /** “40 MB” and “40 GB”. */
  isOtherUnit?: boolean
  /** Names or roles differ, and values too. */
  hasValues?: boolean
  /** One statement excludes what the other one states: “not the night shift” and “the night shift”. */
  isExcluded?: boolean
}

/** 0 or 1, or a share. */
export interface Signs {
  bias: number
  /** Weight of the shared words, of 5. */
  shared: number
  /** Words that one side alone has, of 12: those of the side that has more. */
  ownWords: number
  /** Each side has a name that the other has not, besides those that tell what differs. */
  ownNames: number
  /** Both qualify a shared word, each by another word: “spring meeting” and “autumn meeting”. */
  otherKind: number
  /** One is a condition, a plan, or true of a part only. */
  qualified: number
  /** A value differs, and nothing else: the statements have the same words, and equally many values. */
  valueExact: number
  /** A value differs: words that the rest of the other record has, of 3. */
  valueElsewhere: number
  /** The same of another difference, except of names and roles. */
  otherExact: number
  /** A value differs, and one leaves no room for another: “all”, “only”, “must”. */
  valueUniversal: number
  /** A value differs: names that both have, of 2. */
  valueNames: number
  sameNumber: number
  /** The same digits with another unit: “40 MB” and “40 GB”. */
  otherUnit: number
  /** Of a name or a role, like valueUniversal. */
  nameUniversal: number
  /** Only a name or a role differs, and the statements share more than one word. */
  nameExact: number
  nameAndValue: number
  list: number
  /** As Found.isExcluded. */
  excluded: number
  /** The statement that denies leaves no exception: “never”, “nobody”, “not on any line”. */
  denialUniversal: number
}

const weights: Signs = {
  bias: -3.33,
  shared: 4.77,
  ownWords: -3.02,
  ownNames: -1.83,
  otherKind: -1.62,
  qualified: -0.9,
  valueExact: 2.4,
  otherExact: 1.84,
  valueElsewhere: 2.54,
  valueUniversal: 1.55,
  valueNames: 1.02,
  sameNumber: 2.67,
  otherUnit: 1.46,
  nameUniversal: 1.88,
  nameExact: 4.12,
  nameAndValue: -3.24,
  list: 1.45,
  excluded: 2.73,
  denialUniversal: 0.55,
}

export const scoreOf = (signs: Signs) =>
  (Object.keys(weights) as (keyof Signs)[]).reduce((sum, name) => sum + weights[name] * signs[name], 0)

/**
 * The bias was lowered by hand, so that 19 of 20 findings are right on pairs that nobody has read, and hardly more records
 * of one company are asked about.
 */
export const likely = 0

export function signsOf(found: Found, a: Statement, b: Statement): Signs {
  const { kind, aligned } = found
  const sides = [aligned.a, aligned.b]
  const isName = (kind === 'name' || kind === 'role') && !found.isExcluded
  const isExact = sides.every(isCovered) && aligned.values.a.length === aligned.values.b.length
  const isValue = kind === 'number' || kind === 'date'
  const ofValue = (sign: number) => (isValue ? sign : 0)
  const elsewhere = share(aligned.a.elsewhere.length + aligned.b.elsewhere.length, 3)
  const ownNames = is(sides.every(({ names }) => names.length > 0))
  const universal = is(isUniversal(a.text) || isUniversal(b.text))
  return {
    bias: 1,
    shared: share(aligned.shared, 5),
    ownWords: share(Math.max(...sides.map(({ words }) => words.length)), 12),
    ownNames,
    otherKind: is(aligned.isOtherKind),
    qualified: is(a.isQualified || b.isQualified),
    valueExact: is(isExact && isValue),
    otherExact: is(isExact && !isValue && !isName),
    valueElsewhere: ofValue(elsewhere),
    valueUniversal: ofValue(universal),
    valueNames: ofValue(share(common(a.names, b.names), 2)),
    sameNumber: is(found.isSameNumber),
    otherUnit: is(found.isOtherUnit),
    nameUniversal: isName ? universal : 0,
    nameExact: is(isName && isExact && !found.hasValues && aligned.shared > 1),
    nameAndValue: is(found.hasValues),
    list: is(kind === 'list'),
    excluded: is(found.isExcluded),
    denialUniversal: is(kind === 'negation' && deniesAll(a.isDenied ? a.clause : b.clause)),
  }
}

const isCovered = ({ words, names, elsewhere }: Rest) => words.length + names.length + elsewhere.length === 0
const is = (condition: boolean | undefined) => (condition ? 1 : 0)
const share = (count: number, of: number) => Math.min(count, of) / of
