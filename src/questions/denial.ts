/** Whether one claim denies what the other says: “not X” denies X, however it is narrowed, as long as it is X. */
import type { Claim } from './claim.ts'
import { leastShared, onlyEventsOf, onlyOf, sharedBy } from './subject.ts'
import { type Value, valuesApart } from './values.ts'

/** Words that what is said may have beyond what is denied. */
const mostMore = 3

export function isDenied(a: Claim, b: Claim): boolean {
  const [no, yes] = a.isNegated ? [a, b] : [b, a]
  const values = valuesApart(a.values, b.values)
  if ([...values.a, ...values.b].some(narrows) || a.isPast !== b.isPast) return false
  // not needed, which does not forbid it
  if (no.isWaived && !yes.isDuty) return false
  if (onlyOf(no, yes).length > 0 || isAnotherDoing(no, yes)) return false
  if ((no.isOurs && yes.isByOther) || yes.isRefused || yes.conditions.some((word) => !no.words.has(word))) return false
  // who says or does it, and how; more only of what is forbidden to all
  const more = onlyOf(yes, no).filter((word) => no.isForbidden || !yes.aside.has(word))
  if (sharedBy(a, b).length < leastShared || more.length > (no.isForbidden ? mostMore : 0)) return false
  // “guide dogs”, “the exam office”: another thing; “dogs of guests”: an exception, unless the other says never
  const isBeside = (word: string) => [...(yes.beside.get(word) ?? [])].some((near) => no.subject.has(near))
  return more.every((word) => !isBeside(word) && (no.isNever || !yes.narrowing.has(word)))
}

/** How often or how long something is done narrows nothing: it is done. */
function narrows(value: Value): boolean {
  return value.type === 'date' || value.bound !== '' || !['frequency', 'time'].includes(value.dimension)
}

/** “Not changed or deleted”: it is enough that one of them is done. */
function isAnotherDoing(no: Claim, yes: Claim): boolean {
  const others = onlyEventsOf(no, yes).length
  return others > 0 && (others < no.events.size ? !no.words.has('or') : yes.events.size > 0)
}
