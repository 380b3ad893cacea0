/** Chooses the hits of a search that a brief tells. */

import { isBindingKind } from '../../../records/body.ts'
import { isImported } from '../../../records/imported.ts'
import type { RecordReader } from '../../../records/read/reader.ts'
import type { Hit } from '../../hits.ts'
import { rowIdsOf } from './found.ts'

/** The first hits are told always, those up to `mostTold` if they reach this share of the best score. */
export const firstHits = 10
const mostTold = 60
const leastTold = 0.5

/**
 * In their order, each record once. Constraints, commitments and corrections are told at any place. Where the best hit is our
 * own, decision records of repositories are told only among the first hits: further ones only fill the page.
 */
export async function hitsToTell(hits: readonly Hit[], reader: RecordReader): Promise<Hit[]> {
  const best = hits[0]?.score ?? 0
  const isOurs = hits[0] !== undefined && !isImported(hits[0].record)
  const isNear = ({ record, score }: Hit, at: number) => {
    return at < firstHits || (at < mostTold && score >= leastTold * best && !(isOurs && isImported(record)))
  }
  const far = hits.filter((hit, at) => hit.record.kind === 'memory' && !isNear(hit, at))
  const rows = await reader.rows(rowIdsOf(far), ['memory_kind'])
  const mayBind = ({ record }: Hit) => {
    const kind = rows.get(record.id)?.memory_kind ?? undefined
    return isBindingKind(kind) || kind === 'correction'
  }
  return hits.filter((hit, at) => isNear(hit, at) || mayBind(hit))
}
