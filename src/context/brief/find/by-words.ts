/** The warning of a brief whose search matched words only, for all records or for those without vectors. */
import { lackingSince } from '../../../embedding/embedded.ts'
import { checkpoints } from '../../../journal/checkpoint.ts'
import type { Reads } from '../../../operation.ts'
import type { RecordReader } from '../../../records/read/reader.ts'
import type { Hits } from '../../hits.ts'
import type { Found } from './found.ts'

/** ms that a record may lack its vector before a brief warns. Usually it takes about a second. */
const lateAfter = 10_000

export async function byWords(
  { byWordsAlone }: Hits,
  reader: RecordReader,
  { documents, search, queryEmbedder }: Reads,
): Promise<Pick<Found, 'failures' | 'passing'>> {
  if (queryEmbedder === undefined) return { failures: [], passing: false }
  if (byWordsAlone) return { failures: [embedderIsAway], passing: true }
  const checkpoint = await documents.get(checkpoints, reader.workspace, ['id', 'live', 'indexed', 'shown_in'])
  const since = checkpoint && (await lackingSince(documents, search, checkpoint, reader.audiences, queryEmbedder.model))
  if (since === undefined) return { failures: [], passing: false }
  const isLate = Date.parse(reader.now) - Date.parse(since) >= lateAfter
  return { failures: isLate ? [vectorsAreMissing] : [], passing: true }
}

const embedderIsAway = 'Embeddings are not available: only records that share words with the query are found.'
const vectorsAreMissing =
  'Some records have no embeddings yet: these are found only if they share words with the query.'
