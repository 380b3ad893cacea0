/** What a brief says where search is by words alone, of all records or of some that have no vectors yet. */
import { lackingSince } from '../../journal/embedded.ts'
import { checkpoints } from '../../journal/entry.ts'
import type { Reads } from '../../operation.ts'
import type { RecordReader } from '../../records/read.ts'
import type { Hits } from '../hits.ts'
import type { Found } from './found.ts'

/** ms. A vector comes a second or so after its record: not worth telling. */
const lateAfter = 10_000

export async function byWords(
  hits: readonly Hits[],
  reader: RecordReader,
  { documents, queryEmbedder }: Reads,
): Promise<Pick<Found, 'failures' | 'passing'>> {
  if (queryEmbedder === undefined) return { failures: [], passing: false }
  if (hits.some(({ byWordsAlone }) => byWordsAlone)) return { failures: [embedderIsAway], passing: true }
  const checkpoint = await documents.get(checkpoints, reader.workspace, ['id', 'live'])
  const since = checkpoint && (await lackingSince(documents, checkpoint, reader.audiences, queryEmbedder.model))
  if (since === undefined) return { failures: [], passing: false }
  const isLate = Date.parse(reader.now) - Date.parse(since) >= lateAfter
  return { failures: isLate ? [vectorsAreMissing] : [], passing: true }
}

const embedderIsAway = 'Embeddings are not available: what is found shares words with the question.'
const vectorsAreMissing =
  'Some records have no embeddings yet: these are found only where they share words with the question.'
