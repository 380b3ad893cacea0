/** Comparing claims: finds records that contradict or update each other, or name entities ambiguously (SEMANTICS 6). */
import { userOfService } from '../../access/actor.ts'
import { sourceOf } from '../../claims/source.ts'
import { kinds } from '../../records/kinds.ts'
import type { PrecedentRecord } from '../../records/record.ts'
import { isApplicable } from '../is-applicable.ts'
import type { AskJudge } from './ask-judge.ts'
import type { PairFound } from './compare-tasks.ts'
import { type Comparing, foundByRules, rowsIn } from './comparing.ts'
import type { NearRow } from './likely-update.ts'
import { areComparable, inOrder } from './pairs.ts'

export const comparingClaims: Comparing = {
  /** The new rows that may be in force now or later, and proposals that were accepted. */
  async rows(documents, entry) {
    return (await rowsIn(documents, entry, ({ status }) => status === 'accepted')).filter(isComparable)
  },
  // a record that is not in force yet is compared with what is in force then
  filter: ({ valid_from }, now) => ({ as_of: valid_from > now ? valid_from : now }),
  isOther: (_, other) => isComparable(other),
  async find(ports, row, others) {
    const byRules = await foundByRules(ports, { task: 'findings', row, others })
    return ports.askJudge ? [...byRules, ...(await foundByJudge(ports.askJudge, row, others, byRules))] : byRules
  },
}

/** What an executor reports of its work raises no questions. */
const ofRuns = userOfService('run')

function isComparable(row: PrecedentRecord): boolean {
  const isComparedKind = kinds[row.kind].isKnowledge && row.created_by !== ofRuns
  return isComparedKind && row.feed !== 'none' && isApplicable(row, 'contradiction')
}

/** Pairs of one row for each audience that would be asked: the records that a search found first. */
export const mostJudged = 4

/**
 * The pairs that the judge calls a contradiction or an update. It sees two records at a time, and whoever sees the narrower
 * one sees both. It is not asked about pairs that the rules found.
 */
async function foundByJudge(
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
