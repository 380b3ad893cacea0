/** Whether two claims are about one thing, and say the same of it but for a value. */
import type { Claim } from './claim.ts'
import { canonicalOf, stemOf } from './synonyms.ts'
import type { Value } from './values.ts'

/** Words of weight that two claims share, at the least. */
export const leastShared = 2

/** What both are about and do. */
export function sharedBy(a: Claim, b: Claim): string[] {
  const other = new Set([...b.subject, ...b.events])
  return [...new Set([...a.subject, ...a.events])].filter((word) => other.has(word) || isKeeping(word, b))
}

/** Words of the one that the other's record does not have. */
export function onlyOf(one: Claim, other: Claim): string[] {
  return [...one.subject].filter((word) => !other.subject.has(word) && !has(word, other))
}

export function onlyEventsOf(one: Claim, other: Claim): string[] {
  return [...one.events].filter((word) => !other.subject.has(word) && !has(word, other) && !isKeeping(word, other))
}

const has = (word: string, { events, around }: Claim) => events.has(word) || around.has(word)

/** What is kept for so long is deleted after it. */
const isKeeping = (word: string, other: Claim) =>
  (word === 'keep' && other.events.has('delet')) || (word === 'delet' && other.events.has('keep'))

/** One has a word that narrows, such as “staging” or “guests”, and the other has not. */
export const isOfPart = (one: Claim, other: Claim) => [...one.parts].some((word) => !other.words.has(word))

/** “Per person”, of which the other says nothing. */
const isPer = ({ per }: Claim, { around }: Claim) =>
  per.some((word) => !around.has(word) && !around.has(canonicalOf(word)))

export function areOfOneSubject(a: Claim, b: Claim, [one, other]: readonly [Value, Value]): boolean {
  const [onlyA, onlyB] = [onlyOf(a, b), onlyOf(b, a)]
  const shared = sharedBy(a, b).length
  const isSaidAlike = onlyA.length + onlyB.length === 0 && shared > 0 && [...a.soft].some((word) => b.soft.has(word))
  if (shared + (isSaidAlike ? 1 : 0) < leastShared) return false
  if (one.type === 'amount' && a.isPast !== b.isPast) return false
  // “three of them work on it” counts a part
  if (one.type === 'amount' && one.dimension === 'count' && a.isCountFirst !== b.isCountFirst) return false
  if (isPer(a, b) || isPer(b, a) || !areDoneAlike(a, b, one)) return false
  if (onlyA.length > 0 && onlyB.length > 0) return false
  const [more, only] = onlyA.length > 0 ? [a, onlyA] : [b, onlyB]
  const left = only.filter((word) => !more.aside.has(word))
  return left.length === 0 || (left.length === 1 && isOneNumber(one, other))
}

/** One of them may leave out what is done, if it is no more than a way to say that there is so much of it. */
function areDoneAlike(a: Claim, b: Claim, value: Value): boolean {
  const isMoney = value.type === 'amount' && value.dimension === 'money'
  const eventsOf = (one: Claim, other: Claim) =>
    onlyEventsOf(one, other).filter((word) => !isMoney || !(word === 'pai' || word === 'cost'))
  const [onlyA, onlyB] = [eventsOf(a, b), eventsOf(b, a)]
  if (onlyA.length > 0 && onlyB.length > 0) return false
  const plain = value.type === 'amount' && value.dimension === 'count' ? countedDoings : plainDoings
  return [...onlyA, ...onlyB].every((word) => plain.has(word))
}
/** Not those of which there may be another number than there is in all: “has 40 seats”, “uses 28”. */
const plainDoings: ReadonlySet<string> = new Set(
  `approve keep delete limit cost pay begin end open close launch last accept answer resolve support sign publish issue carry bill
  measure sample heat locate host allow build set backup include fill certify run lead manage own come grant deliver process work`
    .split(/\s+/)
    .map((word) => canonicalOf(stemOf(word))),
)

const countedDoings: ReadonlySet<string> = new Set(
  'limit last support include carry allow'.split(' ').map((word) => canonicalOf(stemOf(word))),
)

/** The same number of another unit: nobody writes that by chance. */
function isOneNumber(one: Value, other: Value): boolean {
  if (one.type !== 'amount' || other.type !== 'amount') return false
  return one.low === other.low && one.low > 1 && (one.unit !== other.unit || one.rate !== other.rate)
}
