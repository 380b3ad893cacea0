/** decision.get: one decision with its prior positions, revisions and sources (SEMANTICS 7). */
import type { z } from 'zod'
import { boundCursor } from '../access/bound-cursor.ts'
import type { RecordId } from '../ids.ts'
import { defineQuery } from '../operation.ts'
import { answersOn } from '../questions/answers.ts'
import { wholeDecisionOf } from '../records/present/decisions.ts'
import { type OutcomePosition, outcomesOf, responsesOf } from '../records/present/outcomes.ts'
import { recordReader } from '../records/read/reader.ts'
import { noSuch } from '../records/read/visible.ts'
import { type DecisionGetOutput, decisionGetOutput, getInput } from './schema.ts'
import { withRejectionNotes } from './shown.ts'

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
    if (record?.kind !== 'decision') throw noSuch('decision')
    const presenting = { reader, publicUrl: reads.publicUrl }
    const { leading, ...whole } = await wholeDecisionOf(record, presenting)
    const [decision = whole] = await withRejectionNotes([whole], reader)
    const pages = boundCursor<OutcomePosition>(reads, actor, 'list', ['outcomes', id], input.outcomes_cursor)
    const { items, next } = await outcomesOf(id, pages.position, presenting, reads.documents)
    const outcome = leading && (await responsesOf([leading.id], presenting)).get(leading.id)
    return {
      ...decision,
      ...(outcome ? { outcome } : {}),
      outcomes: { items, count: leading?.count ?? 0, ...(next ? { next_cursor: pages.next(next) } : {}) },
      answers: await answersOn(record, reader, reads.documents),
    }
  },
})
