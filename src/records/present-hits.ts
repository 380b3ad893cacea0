/** Presents the hits of context.search: each record with its best passage (SEMANTICS 3). */
import { bestPassages } from '../text/best-passage.ts'
import { type Presenting, type SourceResponse, sourcesOfAll, titleWithStatus } from './present.ts'
import type { Envelope } from './record.ts'

export interface HitResponse {
  id: string
  snippet: string
  source: SourceResponse
  title: string
  score?: number
}

/** In the order of `hits`. `terms` are the tokens that choose the passage; without terms it is the first one. */
export async function hitsOf(
  hits: readonly { record: Envelope; score?: number }[],
  terms: readonly string[],
  presenting: Presenting,
): Promise<HitResponse[]> {
  const texts = await presenting.reader.rows(
    hits.map(({ record }) => record.id),
    ['text'],
  )
  const passages = await bestPassages(
    hits.map(({ record }) => texts.get(record.id)?.text ?? ''),
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
  }))
}
