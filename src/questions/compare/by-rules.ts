/** What the rules find in a row and the rows near it. Needs no store, so that it can run in a thread (compare-worker.ts). */
import { likelyUpdate, type NearRow } from '../../claims/likely-update.ts'
import type { PrecedentRecord } from '../../records/record.ts'
import { findingsOfPair, type JudgedClaims, type PairRule } from './pairs.ts'

export interface Comparison {
  row: PrecedentRecord
  /** Best first. */
  others: readonly NearRow[]
}

export interface PairFound {
  rule: PairRule
  /** Id of the other row. */
  other: string
  /** The sentences of both, if no rule for single pairs finds it again. */
  judged?: JudgedClaims
}

export function foundByRules({ row, others }: Comparison): PairFound[] {
  const found: PairFound[] = others.flatMap(({ row: other }) =>
    findingsOfPair(row, other).map(({ reason }) => ({ rule: reason as PairRule, other: other.id })),
  )
  const likely = likelyUpdate(row, others)
  const isFound = found.some(({ rule, other }) => rule === 'contradiction' && other === likely?.other)
  return likely && !isFound ? [...found, { rule: 'contradiction', other: likely.other, judged: likely.claims }] : found
}
