/** Decides whether one claim denies the other: “not X” denies every statement of X, even a narrower one. */
import type { Claim } from './claim.ts'
import { leastShared, onlyActionsOf, onlyOf, sharedBy } from './subject.ts'
import { type Value, valuesApart } from './values.ts'

/** Words that the affirmed claim may have in addition, if the denial is a ban for everyone. */
const mostMore = 3

export function isDenied(a: Claim, b: Claim): boolean {
  const [no, yes] = a.isNegated ? [a, b] : [b, a]
  const values = valuesApart(a.values, b.values)
  if ([...values.a, ...values.b].some(narrows) || a.isPast !== b.isPast) return false
  // “not needed” does not forbid it
  if (no.isWaived && !yes.isDuty) return false
  if (onlyOf(no, yes).length > 0 || isOtherAction(no, yes)) return false
  if ((no.isOurs && yes.isByOther) || yes.isRefused || yes.conditions.some((word) => !no.words.has(word))) return false
  // incidental words are ignored; more words are allowed only under a ban for everyone
  const more = onlyOf(yes, no).filter((word) => no.isForbidden || !yes.incidental.has(word))
  if (sharedBy(a, b).length < leastShared || more.length > (no.isForbidden ? mostMore : 0)) return false
  // “guide dogs” are another subject than dogs; “dogs of guests” may be an exception, unless the denial says never
  const hasDeniedNeighbor = (word: string) => [...(yes.neighbors.get(word) ?? [])].some((near) => no.subject.has(near))
  return more.every((word) => !hasDeniedNeighbor(word) && (no.isNever || !yes.prepositional.has(word)))
}

/** A frequency or duration does not limit the claim: it still says that the thing is done. */
function narrows(value: Value): boolean {
  return value.type === 'date' || value.bound !== '' || !['frequency', 'time'].includes(value.dimension)
}

/** Whether the denied verbs are not those affirmed. With “or”, as in “not changed or deleted”, one common verb is enough. */
function isOtherAction(no: Claim, yes: Claim): boolean {
  const others = onlyActionsOf(no, yes).length
  return others > 0 && (others < no.actions.size ? !no.words.has('or') : yes.actions.size > 0)
}
