/** decision.get: one decision with its prior positions, revisions and sources (SEMANTICS 7). */
import type { z } from 'zod'
import { defineQuery } from '../operation.ts'
import { problem } from '../problem.ts'
import { answersOn } from '../questions/answers.ts'
import type { RecordId } from '../records/ids.ts'
import { wholeDecisionOf } from '../records/present-decisions.ts'
import { recordReader } from '../records/read.ts'
import { type DecisionGetOutput, decisionGetOutput, getInput } from './schema.ts'

export const getDecision = defineQuery<z.output<typeof getInput>, DecisionGetOutput>({
  name: 'decision.get',
  scope: 'context:read',
  summary: 'One decision with its prior positions, revisions and sources.',
  input: getInput,
  output: decisionGetOutput,

  async run({ input, actor, reads }) {
    const reader = recordReader(reads.documents, actor, reads.clock)
    const id = input.id as RecordId
    const record = (await reader.records([id])).get(id)
    if (record?.kind !== 'decision') throw problem('not_found', 'There is no decision with this id.')
    const decision = await wholeDecisionOf(record, { reader, publicUrl: reads.publicUrl })
    return { ...decision, answers: await answersOn(record, reader, reads.documents) }
  },
})
