/** Claims of a record that were superseded while it stays in force (SEMANTICS 6). */
import type { AnyMutable, SupersededClaim } from './body.ts'

/** Claims kept of one row; the newest ones stay. */
export const mostClaims = 50

/** The mutable fields of a row with one more superseded claim. */
export function withoutClaim<Mutable extends AnyMutable>(mutable: Mutable, gone: SupersededClaim): Mutable {
  const others = claimsIn(mutable).filter(({ claim, by }) => claim !== gone.claim || by !== gone.by)
  return { ...mutable, superseded_claims: [...others, gone].slice(-mostClaims) }
}

/** The mutable fields without superseded claims, as the row was created. */
export function withAllClaims<Mutable extends AnyMutable>(mutable: Mutable): Mutable {
  return { ...mutable, superseded_claims: [] }
}

export function claimsIn(mutable: AnyMutable): readonly SupersededClaim[] {
  return mutable.superseded_claims ?? []
}
