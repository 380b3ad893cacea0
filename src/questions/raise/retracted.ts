/**
 * Retracted claims: claims that were superseded while their record stays in force (SEMANTICS 6). They are not compared any
 * more, and questions about them close.
 */
import { normalized } from '../../claims/normalized.ts'
import type { About, AnyMutable, Reason } from '../../records/body.ts'
import { claimsIn } from '../../records/superseded-claims.ts'
import { asksOfClaims } from '../question.ts'

/** Whether the claim that a question is about was retracted from its record. */
export function isRetracted(reason: Reason, { claim, whole }: About, mutable: AnyMutable): boolean {
  if (whole || !asksOfClaims(reason)) return false
  return claimsIn(mutable).some((retracted) => normalized(retracted.claim) === normalized(claim))
}
