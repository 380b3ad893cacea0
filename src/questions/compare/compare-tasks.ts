/**
 * The parts of comparing that need processor time but no store: the subject keys of a row, and the findings of a row
 * compared with others. Pure functions of plain values, so that they can run in a thread (compare-worker-thread.ts).
 */
import type { PrecedentRecord } from '../../records/record.ts'
import { type Claim, claimsOf } from './claims/claim.ts'
import { mentionsOf } from './identity.ts'
import { claimTextOf, findingsOfPair, type PairRule, sourceOf } from './pairs.ts'
import { isRepeated } from './repeat.ts'
import { type Shape, shapeOfClaim, shapeOfMention } from './shape.ts'
import { keyOfMention, keysOfClaim, type SubjectKey } from './subject-keys.ts'

/** A row and the rows to compare it with. */
export interface Comparison {
  row: PrecedentRecord
  others: readonly PrecedentRecord[]
}

export interface PairFound {
  rule: PairRule
  /** Id of the other row. */
  other: string
}

/** Result of one row: what was found, or the stack of the rule that threw. */
export type RowResult<T> = { found: T[] } | { fault: string }

/** Keys stored for one row. */
const mostKeys = 16

export const compareTasks = {
  keys: (rows: readonly PrecedentRecord[]): RowResult<SubjectKey>[] => rows.map((row) => guarded(() => keysOf(row))),
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

function keysOf(row: PrecedentRecord): SubjectKey[] {
  // claims that only a denial can contradict come last: few of them are ever denied
  const claims = [...claimsOf(row.title, claimTextOf(row))].sort(
    (a, b) => Number(isSpecific(b)) - Number(isSpecific(a)),
  )
  const shapes = new Map<string, Shape>()
  for (const claim of claims) {
    const shape = shapeOfClaim(claim)
    for (const key of keysOfClaim(claim)) shapes.set(key, (shapes.get(key) ?? 0) | shape)
  }
  for (const mention of mentionsOf(row)) shapes.set(keyOfMention(mention), shapeOfMention(mention))
  return [...shapes].slice(0, mostKeys).map(([key, shape]) => {
    const { id, workspace, record_id, audience } = row
    return { id: `${id}/${key}`, workspace, key, shape, row: id, record_id, audience }
  })
}

function isSpecific({ values, slots, definite, isNegated, isClosed }: Claim): boolean {
  return isNegated || isClosed || definite !== null || values.length + slots.length > 0
}

function findingsOf({ row, others }: Comparison): PairFound[] {
  return others.flatMap((other) =>
    findingsOfPair(row, other).map(({ reason }) => ({ rule: reason as PairRule, other: other.id })),
  )
}
