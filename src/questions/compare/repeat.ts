/**
 * Decides whether two records make the same claim in other words, by the rules that find contradictions: the claims are
 * about one subject, and differ in nothing. Precision comes before recall, because a wrong finding costs a person's time.
 */

import { withAcronymsOf } from './claims/acronyms.ts'
import { type Claim, claimsOf } from './claims/claim.ts'
import { mostRead } from './claims/clauses.ts'
import { hasDefiniteNameConflict, hasRoleNameConflict } from './claims/name-conflicts.ts'
import { isOfPart, leastShared, onlyActionsOf, onlyOf, sharedBy } from './claims/subject.ts'
import { valuesApart } from './claims/values.ts'
import { stemsOf, wordPattern } from './claims/words.ts'
import { areSameTopic, contradictionOf, type Source } from './contradiction.ts'
import { shareKey } from './subject-keys.ts'

/** Words that only the more detailed claim has, as in “Redis streams”. A claim with more of them says something else. */
const mostDetails = 2

export function isRepeated(a: Source, b: Source): boolean {
  const claims = claimsOf(a.title, withAcronymsOf(b.text, a.text))
  const others = claimsOf(b.title, withAcronymsOf(a.text, b.text))
  if (!claims.some((claim) => others.some((other) => isOneClaim(claim, other)))) return false
  return areSameTopic(a, b) && !haveOtherTitles(a, b) && contradictionOf(a, b) === undefined
}

function isOneClaim(a: Claim, b: Claim): boolean {
  if (!shareKey(a, b) || a.isNegated !== b.isNegated || a.isClosed !== b.isClosed) return false
  if (a.scope !== b.scope || isOfPart(a, b) || isOfPart(b, a)) return false
  if (hasDefiniteNameConflict(a, b) || hasRoleNameConflict(a, b)) return false
  const apart = valuesApart(a.values, b.values)
  if (apart.a.length + apart.b.length > 0) return false
  if (onlyActionsOf(a, b).length > 0 && onlyActionsOf(b, a).length > 0) return false
  const [ownA, ownB] = [ownWords(a, b), ownWords(b, a)]
  if (ownA.length > 0 && ownB.length > 0) return false
  const shared = sharedBy(a, b).length
  // two words in common are a subject only if nothing else is said
  return shared >= leastShared && ownA.length + ownB.length <= (shared > leastShared ? mostDetails : 0)
}

/** Subject words and generic words of `one` that the other record does not have. */
function ownWords(one: Claim, other: Claim): string[] {
  return [
    ...onlyOf(one, other),
    ...[...one.generic].filter((word) => !other.generic.has(word) && !other.context.has(word)),
  ]
}

/** Each title has a word that the other record does not have: “Logs of orders” and “Logs of invoices”. */
function haveOtherTitles(a: Source, b: Source): boolean {
  const hasOwn = (one: Source, other: Source) => {
    const words = new Set(allStemsIn(`${other.title} ${other.text.slice(0, mostRead)}`))
    return allStemsIn(one.title).some((stem) => !words.has(stem))
  }
  return hasOwn(a, b) && hasOwn(b, a)
}

/** With generic words. */
function allStemsIn(text: string): string[] {
  return (text.toLowerCase().match(wordPattern) ?? []).flatMap((word) => stemsOf(word))
}
