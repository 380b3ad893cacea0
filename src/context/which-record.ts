/** Which kind of record an id is of. For callers that have an id or a url, and don't know what it names. */
import { z } from 'zod'
import { questionIdPattern, type RecordId, uuidPattern } from '../ids.ts'
import { defineQuery } from '../operation.ts'
import { openQuestion } from '../questions/open.ts'
import { bodyOf } from '../records/body.ts'
import { recordReader } from '../records/read/reader.ts'
import { characters } from '../validation/schema.ts'

const input = z.strictObject({ id: characters(1, 300).describe('An id.') })

const output = z.strictObject({
  kind: z.enum(['memory', 'decision', 'task', 'question', 'unknown']),
  id: z.string().describe('Of an outcome the id of its decision, else the id that was given.'),
})

export const whichRecord = defineQuery<z.output<typeof input>, z.output<typeof output>>({
  name: 'record.which',
  scope: 'context:read',
  summary: 'Which kind of record an id is of.',
  input,
  output,

  async run({ input: { id }, actor, reads }) {
    const reader = recordReader(reads.documents, actor, reads.clock)
    if (questionIdPattern.test(id)) {
      return { kind: (await openQuestion(id, reader)) === undefined ? 'unknown' : 'question', id }
    }
    if (!uuidPattern.test(id)) return { kind: 'unknown', id }
    const record = id.toLowerCase() as RecordId
    const row = (await reader.rows([record], ['kind', 'body'])).get(record)
    if (row?.kind === 'outcome') return { kind: 'decision', id: bodyOf(row, 'outcome').decision }
    if (row?.kind === 'memory' || row?.kind === 'decision' || row?.kind === 'task')
      return { kind: row.kind, id: record }
    return { kind: 'unknown', id }
  },
})
