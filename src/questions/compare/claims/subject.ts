/** Decides whether two claims are about the same subject and say the same except for one value. */
import type { Claim } from './claim.ts'
import { canonicalOf, stemOf } from './synonyms.ts'
import type { Value } from './values.ts'

/** Subject words and verbs that two claims must share. */
export const leastShared = 2

/** The subject words and verbs that both claims have. */
export function sharedBy(a: Claim, b: Claim): string[] {
  const other = new Set([...b.subject, ...b.actions])
  return [...new Set([...a.subject, ...a.actions])].filter((word) => other.has(word) || isKeeping(word, b))
}

/** Subject words of `one` that neither the other claim nor its sentence and title have. */
export function onlyOf(one: Claim, other: Claim): string[] {
  return [...one.subject].filter((word) => !other.subject.has(word) && !has(word, other))
}

export function onlyActionsOf(one: Claim, other: Claim): string[] {
  return [...one.actions].filter((word) => !other.subject.has(word) && !has(word, other) && !isKeeping(word, other))
}

const has = (word: string, { actions, context }: Claim) => actions.has(word) || context.has(word)

/** “Kept for 30 days” and “deleted after 30 days” mean the same. */
const isKeeping = (word: string, other: Claim) =>
  (word === 'keep' && other.actions.has('delet')) || (word === 'delet' && other.actions.has('keep'))

/** `one` has a limiting word, such as “staging” or “guests”, that the other does not have. */
export const isOfPart = (one: Claim, other: Claim) => [...one.parts].some((word) => !other.words.has(word))

/** “Per person”, if the other claim does not mention persons. */
const isPer = ({ per }: Claim, { context }: Claim) =>
  per.some((word) => !context.has(word) && !context.has(canonicalOf(word)))

export function areOfOneSubject(a: Claim, b: Claim, [one, other]: readonly [Value, Value]): boolean {
  const [onlyA, onlyB] = [onlyOf(a, b), onlyOf(b, a)]
  const shared = sharedBy(a, b).length
  const isSamePhrase =
    onlyA.length + onlyB.length === 0 && shared > 0 && [...a.generic].some((word) => b.generic.has(word))
  if (shared + (isSamePhrase ? 1 : 0) < leastShared) return false
  if (one.type === 'amount' && a.isPast !== b.isPast) return false
  // a leading count, as in “three of them work on it”, counts a part
  if (one.type === 'amount' && one.dimension === 'count' && a.isCountFirst !== b.isCountFirst) return false
  if (isPer(a, b) || isPer(b, a) || !haveSameAction(a, b, one)) return false
  if (onlyA.length > 0 && onlyB.length > 0) return false
  const [more, only] = onlyA.length > 0 ? [a, onlyA] : [b, onlyB]
  const left = only.filter((word) => !more.incidental.has(word))
  return left.length === 0 || (left.length === 1 && isOneNumber(one, other))
}

/** One claim may leave out the verb if the verb only states the amount, as in “costs” or “is limited to”. */
function haveSameAction(a: Claim, b: Claim, value: Value): boolean {
  const isMoney = value.type === 'amount' && value.dimension === 'money'
  const eventsOf = (one: Claim, other: Claim) =>
    onlyActionsOf(one, other).filter((word) => !isMoney || !(word === 'pai' || word === 'cost'))
  const [onlyA, onlyB] = [eventsOf(a, b), eventsOf(b, a)]
  if (onlyA.length > 0 && onlyB.length > 0) return false
  const plain = value.type === 'amount' && value.dimension === 'count' ? stativeVerbsOfCounts : stativeVerbs
  return [...onlyA, ...onlyB].every((word) => plain.has(word))
}
/** Not verbs whose number can differ from the total: “has 40 seats” and “uses 28” agree. */
const stativeVerbs: ReadonlySet<string> = new Set(
  `approve keep delete limit cost pay begin end open close launch last accept answer resolve support sign publish issue carry bill
  measure sample heat locate host allow build set backup include fill certify run lead manage own come grant deliver process work`
    .split(/\s+/)
    .map((word) => canonicalOf(stemOf(word))),
)

const stativeVerbsOfCounts: ReadonlySet<string> = new Set(
  'limit last support include carry allow'.split(' ').map((word) => canonicalOf(stemOf(word))),
)

/** The same number with another unit or rate, which is hardly a coincidence. */
function isOneNumber(one: Value, other: Value): boolean {
  if (one.type !== 'amount' || other.type !== 'amount') return false
  return one.low === other.low && one.low > 1 && (one.unit !== other.unit || one.rate !== other.rate)
}
