/**
 * Whether two claims that are both in force contradict each other: of one subject, in one number, date, name or in yes
 * and no (SEMANTICS 6). High precision beats recall: a wrong question costs a person's time. So what the two are about
 * must be the same, and what differs of one kind.
 */
import { withAcronymsOf } from './acronyms.ts'
import { areClaimsCached, type Claim, claimsOf } from './claim.ts'
import { mostLooked } from './clauses.ts'
import { datesDiffer, isLater, type When } from './dates.ts'
import { isDenied } from './denial.ts'
import { hasDefiniteNameConflict, hasRoleNameConflict } from './name-conflicts.ts'
import { clauseWordsOf, mayContradict } from './prefilter.ts'
import { sentencesOf } from './sentences.ts'
import { areOfOneSubject, isOfPart, leastShared, onlyOf, sharedBy } from './subject.ts'
import { shareKey } from './subject-keys.ts'
import { amountsDiffer, type Value, valuesApart } from './values.ts'
import { wordsOf } from './words.ts'

export type Difference = 'number' | 'date' | 'name' | 'negation' | 'list'

export interface Contradiction {
  a: Claim
  b: Claim
  differsIn: Difference
}

export interface Said {
  title: string
  text: string
}

export function contradictionOf(a: Said, b: Said): Contradiction | undefined {
  const [one, other] = [
    { title: a.title, text: withAcronymsOf(b.text, a.text) },
    { title: b.title, text: withAcronymsOf(a.text, b.text) },
  ]
  const [claims, others] = claimsOfBoth(one, other)
  for (const claim of claims) {
    for (const against of others) {
      // most speak of other things
      if (!shareKey(claim, against)) continue
      const differsIn = differenceOf(claim, against)
      if (!differsIn) continue
      if (!areOfOneMatter(a, b)) return undefined
      return { a: asWritten(claim, a, b), b: asWritten(against, b, a), differsIn }
    }
  }
  return undefined
}

/** It may have been read with an acronym of the other text in place of what is spelled out. */
function asWritten(claim: Claim, { text }: Said, other: Said): Claim {
  const sentences = sentencesOf(text.slice(0, mostLooked)).map((sentence) => sentence.text)
  if (sentences.includes(claim.text)) return claim
  const written = sentences.find((sentence) => withAcronymsOf(other.text, sentence) === claim.text)
  return { ...claim, text: written ?? claim.text }
}

/** Those that may contradict one of the other; of most pairs one side alone tells that there are none. */
function claimsOfBoth(a: Said, b: Said): [readonly Claim[], readonly Claim[]] {
  if (!areClaimsCached(a.title, a.text) && areClaimsCached(b.title, b.text)) {
    const [claims, others] = claimsOfBoth(b, a)
    return [others, claims]
  }
  const claims = claimsAgainst(a, b)
  return claims.length === 0 ? [[], []] : [claims, claimsAgainst(b, a)]
}

function claimsAgainst(one: Said, other: Said): Claim[] {
  const words = clauseWordsOf(other.title, other.text)
  return claimsOf(one.title, one.text).filter((claim) => mayContradict(claim, words))
}

/** By its title a record says what it is about: a third of the words of one of the two titles must be in the other record. */
function areOfOneMatter(a: Said, b: Said): boolean {
  const isWithin = (one: Said, other: Said) => {
    const [title, words] = [[...wordsOf(one.title)], wordsOf(`${other.title} ${other.text.slice(0, mostLooked)}`)]
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
  // of two things that are both denied, both may be so
  if (!one || !other || values.a.length > 1 || values.b.length > 1 || a.isNegated) return undefined
  return areOfOneSubject(a, b, [one, other]) ? differenceOfValues(one, other, a, b) : undefined
}

/** One says that its list is whole, and the other has one more on it. */
function breaksList(whole: Claim, more: Claim): boolean {
  if (!whole.isClosed || whole.isNegated || more.isNegated || more.scope !== whole.scope || isOfPart(whole, more))
    return false
  const known = new Set([...whole.subject, ...whole.events])
  const added = [...more.subject, ...more.events].filter((word) => !known.has(word))
  if (!added.some((word) => more.listed.has(word))) return false
  if (added.some((word) => !more.listed.has(word) && !more.events.has(word)) || onlyOf(whole, more).length > 0)
    return false
  const both = sharedBy(whole, more)
  const listed = both.filter((word) => more.listed.has(word) && !more.events.has(word))
  return listed.length >= 1 && both.length > listed.length && both.length > leastShared
}

function differenceOfValues(one: Value, other: Value, a: Claim, b: Claim): Difference | undefined {
  if (one.type === 'date') return other.type === 'date' && timesDiffer(one, other, a, b) ? 'date' : undefined
  return other.type === 'amount' && amountsDiffer(one, other, [a.bound, b.bound]) ? 'number' : undefined
}

function timesDiffer(one: When, other: When, a: Claim, b: Claim): boolean {
  const isOnce = a.end !== '' && a.end === b.end
  if (!datesDiffer(one, other, isOnce)) return false
  if (a.end === b.end) return true
  // a day within a deadline keeps it
  return a.end === 'end' ? b.end === '' && isLater(other, one) : b.end === 'end' && a.end === '' && isLater(one, other)
}
