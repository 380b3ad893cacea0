/** What a revision that becomes current takes over from the one before it. */
import assert from 'node:assert/strict'
import { stillRetracted } from '../claims/still-retracted.ts'
import type { DecisionMutable } from '../records/body.ts'
import type { Envelope } from '../records/record.ts'
import { withClaims } from '../records/superseded-claims.ts'
import { type StateAtHead, wholeOf } from './state-at-head.ts'

/**
 * The mutable fields of the revision with the leading outcome, because outcomes are of the decision, and with the
 * retracted claims that it still makes: what a person answered about a sentence holds until the sentence is changed.
 */
export async function takenOver(
  state: StateAtHead,
  { text, mutable }: { text: string; mutable: DecisionMutable },
  current: Envelope,
): Promise<DecisionMutable> {
  const before = await wholeOf(state, current)
  assert(before.kind === 'decision', 'every revision of a decision is one')
  const { outcome } = before.mutable
  return withClaims(outcome === undefined ? mutable : { ...mutable, outcome }, stillRetracted(before, text))
}
