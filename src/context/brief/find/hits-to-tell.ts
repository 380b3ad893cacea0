/** Chooses the hits of a search that a brief tells. */

import { isBindingKind } from '../../../records/body.ts'
import { isImported } from '../../../records/imported.ts'
import type { RecordReader } from '../../../records/read/reader.ts'
import type { Hit } from '../../hits.ts'

export interface Reach {
  /** The first hits, told always. */
  first: number
  /** Up to this place a hit is told if it reaches `least` of the best score. */
  most: number
  least: number
}

/**
 * In their order, each record once. Constraints, commitments and corrections are told at any place. Where the best hit is our
 * own, decision records of repositories are told only among the first hits: further ones only fill the page.
 */
export async function hitsToTell(hits: readonly Hit[], reach: Reach, reader: RecordReader): Promise<Hit[]> {
  const best = hits[0]?.score ?? 0
  const isOurs = hits[0] !== undefined && !isImported(hits[0].record)
  const isNear = ({ record, score }: Hit, at: number) => {
    if (at < reach.first) return true
    return at < reach.most && score >= reach.least * best && !(isOurs && isImported(record))
  }
  const far = hits.filter((hit, at) => hit.record.kind === 'memory' && !isNear(hit, at))
  const rows = await reader.rows(
    far.map(({ record }) => record.id),
    ['memory_kind'],
  )
  const mayBind = ({ record }: Hit) => {
    const kind = rows.get(record.id)?.memory_kind ?? undefined
    return isBindingKind(kind) || kind === 'correction'
  }
  return hits.filter((hit, at) => isNear(hit, at) || mayBind(hit))
}
