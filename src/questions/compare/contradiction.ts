/**
 * Decides whether two claims in force contradict each other (SEMANTICS 6). They must be about the same subject and differ
 * in exactly one number, date, name or list, or in yes and no. Precision comes before recall, because a wrong question
 * costs a person's time.
 */

import { sentencesOf } from '../../text/sentences.ts'
import { withAcronymsOf } from './claims/acronyms.ts'
import { areClaimsCached, type Claim, claimsOf } from './claims/claim.ts'
import { mostRead } from './claims/clauses.ts'
import { datesDiffer, isLater, type When } from './claims/dates.ts'
import { isDenied } from './claims/denial.ts'
import { hasDefiniteNameConflict, hasRoleNameConflict } from './claims/name-conflicts.ts'
import { clauseWordsOf, mayContradict } from './claims/prefilter.ts'
import { areOfOneSubject, isOfPart, leastShared, onlyOf, sharedBy } from './claims/subject.ts'
import { amountsDiffer, type Value, valuesApart } from './claims/values.ts'
import { wordsOf } from './claims/words.ts'
import { shareKey } from './subject-keys.ts'

export type Difference = 'number' | 'date' | 'name' | 'negation' | 'list'

export interface Contradiction {
  a: Claim
  b: Claim
  differsIn: Difference
}

export interface Source {
  title: string
  text: string
}

export function contradictionOf(a: Source, b: Source): Contradiction | undefined {
  const [one, other] = [
    { title: a.title, text: withAcronymsOf(b.text, a.text) },
    { title: b.title, text: withAcronymsOf(a.text, b.text) },
  ]
  const [claims, others] = claimsOfBoth(one, other)
  for (const claim of claims) {
    for (const against of others) {
      // a cheap test first: most pairs are about different subjects
      if (!shareKey(claim, against)) continue
      const differsIn = differenceOf(claim, against)
      if (!differsIn) continue
      if (!areSameTopic(a, b)) return undefined
      return { a: asWritten(claim, a, b), b: asWritten(against, b, a), differsIn }
    }
  }
  return undefined
}

/** With its original sentence, in which a term may be spelled out that the comparison replaced by an acronym. */
function asWritten(claim: Claim, { text }: Source, other: Source): Claim {
  const sentences = sentencesOf(text.slice(0, mostRead)).map((sentence) => sentence.text)
  if (sentences.includes(claim.text)) return claim
  const written = sentences.find((sentence) => withAcronymsOf(other.text, sentence) === claim.text)
  return { ...claim, text: written ?? claim.text }
}

/** The claims of each side that may contradict one of the other. If one side has none, the other is not parsed. */
function claimsOfBoth(a: Source, b: Source): [readonly Claim[], readonly Claim[]] {
  if (!areClaimsCached(a.title, a.text) && areClaimsCached(b.title, b.text)) {
    const [claims, others] = claimsOfBoth(b, a)
    return [others, claims]
  }
  const claims = claimsAgainst(a, b)
  return claims.length === 0 ? [[], []] : [claims, claimsAgainst(b, a)]
}

function claimsAgainst(one: Source, other: Source): Claim[] {
  const words = clauseWordsOf(other.title, other.text)
  return claimsOf(one.title, one.text).filter((claim) => mayContradict(claim, words))
}

/** Titles name the topic: a third of the words of one title must occur in the other record. */
export function areSameTopic(a: Source, b: Source): boolean {
  const isWithin = (one: Source, other: Source) => {
    const [title, words] = [[...wordsOf(one.title)], wordsOf(`${other.title} ${other.text.slice(0, mostRead)}`)]
    return title.length === 0 ? other.title === '' : 3 * title.filter((word) => words.has(word)).length >= title.length
  }
  return isWithin(a, b) || isWithin(b, a)
}

export function differenceOf(a: Claim, b: Claim): Difference | undefined {
  if (hasDefiniteNameConflict(a, b)) return 'name'
  if (breaksList(a, b) || breaksList(b, a)) return 'list'
  if (a.scope !== b.scope || isOfPart(a, b) || isOfPart(b, a)) return undefined
  if (hasRoleNameConflict(a, b)) return 'name'
  if (a.isNegated !== b.isNegated) return isDenied(a, b) ? 'negation' : undefined
  const values = valuesApart(a.values, b.values)
  const [one, other] = [values.a[0], values.b[0]]
  // two denials can both be true
  if (!one || !other || values.a.length > 1 || values.b.length > 1 || a.isNegated) return undefined
  return areOfOneSubject(a, b, [one, other]) ? differenceOfValues(one, other, a, b) : undefined
}

/** One claim says that its list is complete, and the other has one item more. */
function breaksList(whole: Claim, more: Claim): boolean {
  if (!whole.isClosed || whole.isNegated || more.isNegated || more.scope !== whole.scope || isOfPart(whole, more))
    return false
  const known = new Set([...whole.subject, ...whole.actions])
  const added = [...more.subject, ...more.actions].filter((word) => !known.has(word))
  if (!added.some((word) => more.listed.has(word))) return false
  if (added.some((word) => !more.listed.has(word) && !more.actions.has(word)) || onlyOf(whole, more).length > 0)
    return false
  const both = sharedBy(whole, more)
  const listed = both.filter((word) => more.listed.has(word) && !more.actions.has(word))
  return listed.length >= 1 && both.length > listed.length && both.length > leastShared
}

function differenceOfValues(one: Value, other: Value, a: Claim, b: Claim): Difference | undefined {
  if (one.type === 'date') return other.type === 'date' && timesDiffer(one, other, a, b) ? 'date' : undefined
  return other.type === 'amount' && amountsDiffer(one, other, [a.bound, b.bound]) ? 'number' : undefined
}

function timesDiffer(one: When, other: When, a: Claim, b: Claim): boolean {
  const isSameEnd = a.end !== '' && a.end === b.end
  if (!datesDiffer(one, other, isSameEnd)) return false
  if (a.end === b.end) return true
  // a date before the deadline meets it
  return a.end === 'end' ? b.end === '' && isLater(other, one) : b.end === 'end' && a.end === '' && isLater(one, other)
}
