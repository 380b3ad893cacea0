/**
 * Internal operation: the judgment of a proposal names a decision that failed and that the proposal repeats. It checks the
 * finding again, on the records at head. Its idempotency key is made of the rows and the outcome, so each finding is
 * accepted once.
 */
import { z } from 'zod'
import { isRepeated } from '../../claims/repeat.ts'
import { sourceOf } from '../../claims/source.ts'
import { nothingChanged } from '../../deciding/outcome.ts'
import { wholeOf } from '../../deciding/state-at-head.ts'
import { covers } from '../../deciding/supersession.ts'
import type { RecordId } from '../../ids.ts'
import { defineOperation } from '../../operation.ts'
import { recordOfQuestion } from '../../records/named.ts'
import type { Envelope } from '../../records/record.ts'
import { proposalOf } from '../../records/revisions.ts'
import { questionIdOf } from '../question.ts'
import { judgmentOf } from '../raise/rules.ts'
import { askQuestions } from '../raise/with-questions.ts'

const input = z.strictObject({ proposal: z.string(), failed: z.string() })
type Named = z.infer<typeof input>

/** Failed decisions that one judgment names: more would convince nobody further. */
const mostNamed = 3

export const nameFailure = defineOperation<Named>({
  name: 'question.name_failure',
  scope: 'admin',
  summary: 'Names in the judgment of a proposal a failed decision that it repeats, if it still does.',
  format: 2,
  raisesQuestions: false,
  input,
  texts: () => [],

  async decide(context) {
    const { input, state, receipt } = context
    const [proposal, failed] = [await proposed(), await failure()]
    if (!proposal || !failed || !isNameable(proposal, failed)) return nothingChanged
    const id = recordOfQuestion(receipt.workspace, questionIdOf(judgmentOf(proposal)))
    const question = (await state.record(id)) && (await state.whole(id))
    if (question?.kind !== 'question' || question.valid_to !== null) return nothingChanged
    const named = question.body.failed ?? []
    if (named.length >= mostNamed || named.some(({ record }) => record === failed.record_id)) return nothingChanged
    if (!isRepeated(sourceOf(proposal), sourceOf(failed))) return nothingChanged
    const { record_id: record, title, valid_from: decided_at } = failed
    const { changed } = await askQuestions(context, [judgmentOf(proposal, [...named, { record, title, decided_at }])])
    return { ...nothingChanged, changed }

    async function proposed() {
      const pending = proposalOf(await state.revisions(input.proposal as RecordId))
      const row = pending && (await wholeOf(state, pending))
      return row?.kind === 'decision' ? row : undefined
    }
    async function failure() {
      const current = await state.record(input.failed as RecordId)
      const row = current && (await wholeOf(state, current))
      return row?.kind === 'decision' && row.mutable.outcome?.status === 'failure' ? row : undefined
    }
  },
})

/** Everyone who sees the proposal must see the failed decision: the question has the audience of the proposal. */
export function isNameable(
  proposal: Pick<Envelope, 'record_id' | 'audience'>,
  failed: Pick<Envelope, 'record_id' | 'audience'>,
): boolean {
  return proposal.record_id !== failed.record_id && covers(failed.audience, proposal.audience)
}
