/** What a list of hits says of its records besides their words: a hit has no fields for it (specification 4). */
import { z } from 'zod'
import type { RecordId } from '../ids.ts'
import { defineQuery } from '../operation.ts'
import { isPrivate } from '../records/audience.ts'
import { isUndated } from '../records/imported.ts'
import { recordReader } from '../records/read/reader.ts'
import { atMost } from '../validation/schema.ts'

/** Hits of one page (specification 8). */
const mostIds = 50

const input = z.strictObject({ ids: atMost(mostIds, z.array(z.string())).describe('Ids of records.') })

const output = z.strictObject({
  private: z.array(z.string()).describe('Those that only the caller sees.'),
  undated: z.array(z.string()).describe('Those that were imported from a file without a date.'),
})
export type Marks = z.output<typeof output>

export const recordMarks = defineQuery<z.output<typeof input>, Marks>({
  name: 'record.marks',
  scope: 'context:read',
  summary: 'Which of these records are private, and which have no date.',
  input,
  output,

  async run({ input: { ids }, actor, reads }) {
    const reader = recordReader(reads.documents, actor, reads.clock)
    const found = [...(await reader.records(ids as RecordId[])).values()]
    const idsOf = (records: typeof found) => records.map(({ record_id }) => record_id)
    return { private: idsOf(found.filter(isPrivate)), undated: idsOf(found.filter(isUndated)) }
  },
})
