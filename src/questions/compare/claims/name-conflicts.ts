/** Decides whether two claims give different names for the same role: who owns it, where it is, what it is made with. */
import type { Claim } from './claim.ts'
import { areDifferentNames, type Slot } from './names.ts'
import { leastShared, onlyActionsOf, onlyOf, sharedBy } from './subject.ts'
import { valuesApart } from './values.ts'
import { wordsOf } from './words.ts'

/** Both claims name the same definite thing, such as “the owner of X”, but differently. */
export function hasDefiniteNameConflict({ definite: a }: Claim, { definite: b }: Claim): boolean {
  if (!a || !b || a.words.size !== b.words.size || [...a.words].some((word) => !b.words.has(word))) return false
  return areDifferentNames(a.what, b.what)
}

/** The claims are the same except for one name, in a role that only one name can have. */
export function hasRoleNameConflict(a: Claim, b: Claim): boolean {
  if (a.isNegated || b.isNegated || a.isPast !== b.isPast) return false
  const values = valuesApart(a.values, b.values)
  if (values.a.length + values.b.length > 0) return false
  return a.slots.some((one) => b.slots.some((other) => isSameRole(one, other) && conflictsInOnlyName(a, one, b, other)))
}

/** “In” a tool and “with” a tool mean the same. */
function isSameRole({ role: a }: Slot, { role: b }: Slot): boolean {
  return a === b || (a === 'at' && b === 'through') || (a === 'through' && b === 'at')
}

function conflictsInOnlyName(a: Claim, one: Slot, b: Claim, other: Slot): boolean {
  if (!areDifferentNames(one.name, other.name)) return false
  const [left, right] = [wordsOf(one.name), wordsOf(other.name)]
  if ([...left].some((word) => b.subject.has(word)) || [...right].some((word) => a.subject.has(word))) return false
  const isOutsideNames = (word: string) => !left.has(word) && !right.has(word) && word !== 'team'
  if (onlyOf(a, b).some(isOutsideNames) || onlyOf(b, a).some(isOutsideNames)) return false
  if (onlyActionsOf(a, b).length > 0 && onlyActionsOf(b, a).length > 0) return false
  const shared = sharedBy(a, b).filter(isOutsideNames).length
  const verbs = [
    ...a.actions,
    ...b.actions,
    ...[...a.generic, ...b.generic].filter((word) => word === 'done' || (a.generic.has(word) && b.generic.has(word))),
  ]
  const isOne =
    verbs.length > 0 &&
    verbs.every((word) => !shareable.has(word)) &&
    verbs.some((word) => exclusive[one.role].has(word))
  return shared >= 1 && shared + verbs.length >= leastShared && isOne
}

const stems = (words: string) => new Set(words.split(' ').flatMap((word) => [...wordsOf(word), word]))

/** Verbs for which only one name is right, by role: “leads”, “is kept in”. */
const exclusive: { readonly [role in Slot['role']]: ReadonlySet<string> } = {
  agent: stems(
    'lead own manage approve sign present teach maintain provide host coordinate publish issue write done last',
  ),
  at: stems('keep locate host build last write manage book track'),
  from: stems('build publish issue buy compile'),
  through: stems('build write book send bill process last manage track'),
  to: stems('backup escalate replicate'),
}
/** Verbs for which several names can be right. */
const shareable = stems('employ visit see copy replicate review translate')
