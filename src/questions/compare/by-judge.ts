/** The pairs of records that the judge calls a contradiction or an update. */
import type { NearRow } from '../../claims/likely-update.ts'
import { sourceOf } from '../../claims/source.ts'
import { areComparable } from '../../records/audience.ts'
import type { PrecedentRecord } from '../../records/record.ts'
import type { AskJudge } from './ask-judge.ts'
import type { PairFound } from './by-rules.ts'
import { inOrder } from './pairs.ts'

/** Pairs of one row for each audience that would be asked: the records that a search found first. */
const mostJudged = 4

/**
 * The judge sees two records at a time, and whoever sees the narrower one sees both. It is not asked about pairs that the
 * rules found.
 */
export async function foundByJudge(
  askJudge: AskJudge,
  row: PrecedentRecord,
  others: readonly NearRow[],
  byRules: readonly PairFound[],
): Promise<PairFound[]> {
  const found = new Set(byRules.filter(({ rule }) => rule === 'contradiction').map(({ other }) => other))
  const asked = others
    .slice(0, mostJudged)
    .map((near) => near.row)
    .filter((other) => !found.has(other.id) && other.record_id !== row.record_id)
    .filter((other) => areComparable(row.audience, other.audience))
    .map((other) => ({ other: other.id, rows: inOrder(row, other) }))
  const verdicts = await askJudge(
    row.workspace,
    asked.map(({ rows: [newer, older] }) => ({ newer: sourceOf(newer), older: sourceOf(older) })),
  )
  return asked.flatMap(({ other, rows: [newer, older] }, at) => {
    const spans = verdicts[at]?.spans
    if (!spans) return []
    const judged = { [newer.record_id]: spans.newer, [older.record_id]: spans.older }
    return [{ rule: 'contradiction' as const, other, judged }]
  })
}
