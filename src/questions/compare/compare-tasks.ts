/**
 * The parts of comparing that need processor time but no store: what is found in a row and the rows near it. Pure
 * functions of plain values, so that they can run in a thread (compare-worker-thread.ts).
 */
import { isRepeated } from '../../claims/repeat.ts'
import { sourceOf } from '../../claims/source.ts'
import type { PrecedentRecord } from '../../records/record.ts'
import { likelyUpdate, type NearRow } from './likely-update.ts'
import { findingsOfPair, type JudgedClaims, type PairRule } from './pairs.ts'

export interface Comparison {
  task: keyof typeof tasks
  row: PrecedentRecord
  /** Best first. */
  others: readonly NearRow[]
}

export interface PairFound {
  rule: PairRule | 'repeat'
  /** Id of the other row. */
  other: string
  /** The sentences of both, if no rule for single pairs finds it again. */
  judged?: JudgedClaims
}

/** What was found, or the stack of the rule that threw. */
export type Compared = { found: PairFound[] } | { fault: string }

/** A rule that throws on one text must not stop the comparison of other rows. */
export function compareTask(comparison: Comparison): Compared {
  try {
    return { found: tasks[comparison.task](comparison) }
  } catch (error) {
    return { fault: (error as Error).stack ?? String(error) }
  }
}

const tasks = { findings: findingsOf, repeats: repeatsOf }

function findingsOf({ row, others }: Comparison): PairFound[] {
  const found: PairFound[] = others.flatMap(({ row: other }) =>
    findingsOfPair(row, other).map(({ reason }) => ({ rule: reason as PairRule, other: other.id })),
  )
  const likely = likelyUpdate(row, others)
  const isFound = found.some(({ rule, other }) => rule === 'contradiction' && other === likely?.other)
  return likely && !isFound ? [...found, { rule: 'contradiction', other: likely.other, judged: likely.claims }] : found
}

/** The other rows that make the same claim. */
function repeatsOf({ row, others }: Comparison): PairFound[] {
  const same = others.filter(({ row: other }) => isRepeated(sourceOf(row), sourceOf(other)))
  return same.map(({ id }) => ({ rule: 'repeat', other: id }))
}
