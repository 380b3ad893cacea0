/**
 * Internal operation: asks one question about old proposals of one source instead of one question each. It checks the
 * proposals again at head. Its idempotency key is made of the rows and the question, so each finding is accepted once.
 */
import { z } from 'zod'
import type { DecideContext } from '../../deciding/context.ts'
import { nothingChanged } from '../../deciding/outcome.ts'
import { decidedAt } from '../../deciding/supersession.ts'
import type { RecordId } from '../../ids.ts'
import { defineOperation } from '../../operation.ts'
import type { Envelope, RecordOf } from '../../records/record.ts'
import { closing } from '../question.ts'
import { isOld, mostProposals, oldProposalsFinding, sourceOfProposal } from '../raise/old-proposals.ts'
import { askQuestions } from '../raise/with-questions.ts'

/** Record ids. One that is asked about with others already stands for all of these. */
const input = z.strictObject({ proposals: z.array(z.string()).min(1).max(mostProposals) })
type Gathered = z.infer<typeof input>

export const gatherProposals = defineOperation<Gathered>({
  name: 'question.gather_proposals',
  scope: 'admin',
  summary: 'Asks one question about old proposals of one source.',
  format: 2,
  raisesQuestions: false,
  input,
  texts: () => [],

  async decide(context) {
    const judged = await oldProposals(context)
    const [first, ...others] = judged.flatMap(({ proposals }) => proposals)
    // a single question already asks about all of them
    if (!first || judged.length === 1 || others.length >= mostProposals) return nothingChanged
    const { created, changed } = await askQuestions(context, [oldProposalsFinding([first, ...others])])
    const ended = { valid_to: decidedAt(context) }
    const closed = judged.map(({ question }) => closing(question, context.at, ended))
    return { ...nothingChanged, created, changed: [...closed, ...changed] }
  },
})

interface Judged {
  question: RecordOf<'question'>
  proposals: Envelope[]
}

/** The open questions about these proposals that ask about old ones of one source only: that of the first. */
async function oldProposals({ input, state, at }: DecideContext<Gathered>): Promise<Judged[]> {
  const found = new Map<string, Judged>()
  let first: Envelope | undefined
  for (const id of input.proposals) {
    for (const question of await state.questionsOn(id as RecordId)) {
      if (question.valid_to !== null || question.body.reason !== 'pending_judgment') continue
      const proposals: Envelope[] = []
      for (const { record } of question.body.about) proposals.push((await state.record(record)) as Envelope)
      first ??= proposals.find(isGatherable)
      if (proposals.every((one) => isGatherable(one) && isOfSourceOf(one, first as Envelope))) {
        found.set(question.id, { question, proposals })
      }
    }
  }
  return [...found.values()]

  function isGatherable(proposal: Envelope): boolean {
    return proposal.status === 'proposed' && proposal.superseded_by === null && isOld(proposal, at)
  }
}

function isOfSourceOf(one: Envelope, other: Envelope): boolean {
  return one.audience === other.audience && sourceOfProposal(one) === sourceOfProposal(other)
}
