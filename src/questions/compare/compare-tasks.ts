/**
 * The parts of comparing that need processor time but no store: the findings of a row compared with others. Pure functions
 * of plain values, so that they can run in a thread (compare-worker-thread.ts).
 */
import { isRepeated } from '../../claims/repeat.ts'
import { sourceOf } from '../../claims/source.ts'
import type { PrecedentRecord } from '../../records/record.ts'
import { likelyUpdate, type Near } from './likely-update.ts'
import { findingsOfPair, type JudgedClaims, type PairRule } from './pairs.ts'

/** A row and the rows to compare it with. */
export interface Comparison {
  row: PrecedentRecord
  others: readonly PrecedentRecord[]
  /** How near the others are to the row, best first. Absent: each pair is looked at by itself. */
  near?: readonly Near[]
}

export interface PairFound {
  rule: PairRule
  /** Id of the other row. */
  other: string
  /** The sentences of both, if no rule for single pairs finds it again. */
  judged?: JudgedClaims
}

/** Result of one row: what was found, or the stack of the rule that threw. */
export type RowResult<T> = { found: T[] } | { fault: string }

export const compareTasks = {
  findings: (comparisons: readonly Comparison[]): RowResult<PairFound>[] =>
    comparisons.map((one) => guarded(() => findingsOf(one))),
  /** Ids of the other rows that make the same claim. */
  repeats: (comparisons: readonly Comparison[]): RowResult<string>[] =>
    comparisons.map(({ row, others }) =>
      guarded(() => others.filter((other) => isRepeated(sourceOf(row), sourceOf(other))).map(({ id }) => id)),
    ),
}
export type CompareTask = keyof typeof compareTasks

/** A rule that throws on one text must not stop the comparison of the other rows. */
function guarded<T>(find: () => T[]): RowResult<T> {
  try {
    return { found: find() }
  } catch (error) {
    return { fault: (error as Error).stack ?? String(error) }
  }
}

function findingsOf({ row, others, near = [] }: Comparison): PairFound[] {
  const found: PairFound[] = others.flatMap((other) =>
    findingsOfPair(row, other).map(({ reason }) => ({ rule: reason as PairRule, other: other.id })),
  )
  const rows = new Map(others.map((other) => [other.id, other]))
  const likely = likelyUpdate(
    row,
    near.flatMap((one) => {
      const other = rows.get(one.id)
      return other ? [{ ...one, row: other }] : []
    }),
  )
  const isFound = found.some(({ rule, other }) => rule === 'contradiction' && other === likely?.other)
  return likely && !isFound ? [...found, { rule: 'contradiction', other: likely.other, judged: likely.claims }] : found
}
