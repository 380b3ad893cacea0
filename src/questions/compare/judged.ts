/** Chooses the pairs of a row that a judge is asked about, and turns its verdicts into findings. */
import { sourceOf } from '../../claims/source.ts'
import type { ComparePorts } from './compare-ports.ts'
import type { Comparison, PairFound } from './compare-tasks.ts'
import { areComparable, inOrder } from './pairs.ts'

/** Pairs of one row for each audience that would be asked: the records that a search found first. */
export const mostJudged = 4

/**
 * The pairs that the judge calls a contradiction or an update. It sees two records at a time, and whoever sees the narrower
 * one sees both. `found`: what the rules found; the judge is not asked about these pairs.
 */
export async function judgedAmong(
  { askJudge }: Pick<ComparePorts, 'askJudge'>,
  { row, others }: Comparison,
  found: readonly PairFound[],
): Promise<PairFound[]> {
  if (!askJudge) return []
  const byRules = new Set(found.filter(({ rule }) => rule === 'contradiction').map(({ other }) => other))
  const asked = others
    .slice(0, mostJudged)
    .filter((other) => !byRules.has(other.id) && other.record_id !== row.record_id)
    .filter((other) => areComparable(row.audience, other.audience))
    .map((other) => ({ other, rows: inOrder(row, other) }))
  const verdicts = await askJudge(
    row.workspace,
    asked.map(({ rows: [newer, older] }) => ({ newer: sourceOf(newer), older: sourceOf(older) })),
  )
  return asked.flatMap(({ other, rows: [newer, older] }, at) => {
    const spans = verdicts[at]?.spans
    if (!spans) return []
    const judged = { [newer.record_id]: spans.newer, [older.record_id]: spans.older }
    return [{ rule: 'contradiction' as const, other: other.id, judged }]
  })
}
