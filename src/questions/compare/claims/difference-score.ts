/**
 * How likely a difference between two statements is a contradiction: a logistic regression over the development pairs of
 * test/quality/claims, the pairs of test/questions/compare, and 354 decision records that contradict each other nowhere. A
 * sign that earned nothing when it was left out is not here, such as the share of the words that both have.
 */
import type { Alignment, Rest } from './align.ts'
import { isUniversal } from './modality.ts'
import type { Statement } from './statement.ts'

export type Difference = 'number' | 'date' | 'name' | 'role' | 'negation' | 'opposite'

/** 0 or 1, or a share. */
export interface Signs {
  bias: number
  date: number
  name: number
  role: number
  negation: number
  opposite: number
  /** Three or more words or values are shared. */
  threeShared: number
  /** Weight of the shared words, of 5. */
  shared: number
  /** Words that each side alone has, at most 2. */
  onBothSides: number
  /** Words that the rest of the other record has, of 3. */
  elsewhere: number
  /** The same number with another unit or rate, which is hardly a coincidence. */
  sameNumber: number
  /** One is a limit, and the other is not. */
  limitOfOne: number
  /** A date in a sentence that says more than the other. */
  longDate: number
  /** One leaves no room for another value: “all”, “only”, “must”. */
  universal: number
  /** One says the same of a part only: “in winter the ferry runs every two hours”. */
  narrower: number
  /** “The client of the service” and “the service”. */
  otherThing: number
  /** The statements have the same words. */
  exact: number
}

const weights: Signs = {
  bias: -3.1,
  date: 1.0,
  name: 0.3,
  role: 0.3,
  negation: -0.8,
  opposite: -0.4,
  threeShared: 0.7,
  shared: 4.4,
  onBothSides: -0.3,
  elsewhere: 2.5,
  sameNumber: 1.1,
  limitOfOne: -0.7,
  longDate: -0.7,
  universal: 1.4,
  narrower: -1.1,
  otherThing: -0.4,
  exact: 1.8,
}

export const scoreOf = (signs: Signs) =>
  (Object.keys(weights) as (keyof Signs)[]).reduce((sum, name) => sum + weights[name] * signs[name], 0)

/** The bias has been lowered until the pairs that differ in one small word, written against these rules, are read right. */
export const isLikely = (signs: Signs) => scoreOf(signs) >= 0

const mostShared = 5
const mostElsewhere = 3
const mostOnBothSides = 2

export function signsOf(kind: Difference, a: Statement, b: Statement, aligned: Alignment): Signs {
  const { a: restA, b: restB } = aligned
  const isName = kind === 'name' || kind === 'role'
  return {
    bias: 1,
    date: is(kind === 'date'),
    name: is(kind === 'name'),
    role: is(kind === 'role'),
    negation: is(kind === 'negation'),
    opposite: is(kind === 'opposite'),
    threeShared: is(aligned.strong >= 3),
    shared: Math.min(aligned.shared, mostShared) / mostShared,
    onBothSides: Math.min(restA.words.length, restB.words.length, mostOnBothSides),
    elsewhere: Math.min(restA.elsewhere.length + restB.elsewhere.length, mostElsewhere) / mostElsewhere,
    sameNumber: 0,
    limitOfOne: 0,
    longDate: is(kind === 'date' && Math.max(restA.words.length, restB.words.length) > 1),
    universal: is(isUniversal(a.text) || isUniversal(b.text)),
    narrower: is(!isName && (isNarrower(restA, restB) || isNarrower(restB, restA))),
    otherThing: is(aligned.isOtherThing),
    exact: is(isCovered(restA) && isCovered(restB) && !restA.isLimited && !restB.isLimited),
  }
}

const is = (condition: boolean) => (condition ? 1 : 0)
const isCovered = ({ words, names, elsewhere }: Rest) => words.length + names.length + elsewhere.length === 0
const isNarrower = (one: Rest, other: Rest) => one.isLimited && isCovered(other)
