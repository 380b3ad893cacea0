/** When a brief expires although nothing is written: records begin and end to be in force as time passes. */

import type { Reads } from '../../operation.ts'
import { knowledgeKinds } from '../../records/kinds.ts'
import type { RecordReader } from '../../records/read/reader.ts'
import { type Envelope, records } from '../../records/record.ts'
import { mostAge } from './cache.ts'

/** Milliseconds since the epoch. `used`: the records that the brief was made from. */
export async function untilChange(used: readonly Envelope[], reader: RecordReader, reads: Reads): Promise<number> {
  // a future valid_to belongs to a record with a future valid_from (queried here) or to one that was used
  const [next] = await reads.documents.find(records, {
    where: {
      workspace: reader.workspace,
      audience: { in: reader.audiences },
      kind: { in: knowledgeKinds },
      valid_from: { gt: reader.now },
    },
    sort: [['valid_from', 'asc']],
    limit: 1,
    fields: ['valid_from'],
  })
  const ends = used.flatMap(({ valid_to }) => (valid_to !== null && valid_to > reader.now ? [valid_to] : []))
  const instants = [...ends, ...(next ? [next.valid_from] : [])].map((instant) => Date.parse(instant))
  return Math.min(Date.parse(reader.now) + mostAge, ...instants)
}
