/** Presents the hits of context.search: each record with its best passage (SEMANTICS 3). */
import { bestPassages, type WantedTerms } from '../../text/best-passage.ts'
import type { OutcomeStatus } from '../body.ts'
import type { Envelope } from '../record.ts'
import type { OutcomeFields } from './outcomes.ts'
import { type Presenting, type SourceResponse, sourcesOfAll, titleWithStatus } from './present.ts'

export interface HitResponse {
  id: string
  snippet: string
  source: SourceResponse
  title: string
  score?: number
  outcome_status?: OutcomeStatus
  outcome_notes?: string
}

/**
 * In the order of `hits`. `outcomes`: the leading ones, by record id. `terms` are the tokens that choose the passage;
 * without terms it is the first one.
 */
export async function hitsOf(
  hits: readonly { record: Envelope; score?: number; foundIn?: string }[],
  terms: WantedTerms,
  presenting: Presenting,
  outcomes: ReadonlyMap<string, OutcomeFields>,
): Promise<HitResponse[]> {
  const rowIds = hits.map(({ record, foundIn }) => foundIn ?? record.id)
  const texts = await presenting.reader.rows(rowIds, ['text'])
  const passages = await bestPassages(
    rowIds.map((id) => texts.get(id)?.text ?? ''),
    terms,
  )
  const sources = await sourcesOfAll(
    hits.map(({ record }) => record),
    presenting,
  )
  return hits.map(({ record, score }, at) => ({
    id: record.record_id,
    snippet: passages[at] || record.title,
    source: sources[at] as SourceResponse,
    title: titleWithStatus(record),
    ...(score === undefined ? {} : { score }),
    ...outcomes.get(record.record_id),
  }))
}
