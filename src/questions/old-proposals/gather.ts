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
import { recordOfQuestion } from '../../records/named.ts'
import type { Envelope, RecordOf } from '../../records/record.ts'
import { judgmentIdOf } from '../question.ts'
import {
  isAboutOldProposals,
  isOld,
  mostProposals,
  oldProposalsFinding,
  sourceOfProposal,
} from '../raise/old-proposals.ts'
import { askQuestions, closing } from '../raise/with-questions.ts'

const input = z.strictObject({
  /** Record ids. */
  proposals: z.array(z.string()).min(1).max(mostProposals),
  /** The record of an open question about other proposals of the source. A question about all of them replaces it. */
  open: z.string().exactOptional(),
})
type Gathered = z.infer<typeof input>
type Context = DecideContext<Gathered>

interface Judged {
  proposal: Envelope
  judgment: RecordOf<'question'>
}

export const gatherProposals = defineOperation<Gathered>({
  name: 'question.gather_proposals',
  scope: 'admin',
  summary: 'Asks one question about old proposals of one source.',
  format: 2,
  raisesQuestions: false,
  input,
  texts: () => [],

  async decide(context) {
    const { at, state } = context
    const ended = { valid_to: decidedAt(context) }
    const found = await oldProposals(context)
    const [first, ...others] = found.map(({ proposal }) => proposal)
    if (first === undefined) return nothingChanged
    const open = await openQuestion(context, first)
    const before = open ? await Promise.all(open.body.about.map(async ({ record }) => state.record(record))) : []
    const proposals = [...others, ...before.flatMap((row) => row ?? [])]
    // a single proposal is judged by its own question
    if (proposals.length === 0 || proposals.length >= mostProposals) return nothingChanged
    const { created, changed } = await askQuestions(context, [oldProposalsFinding([first, ...proposals])])
    const replaced = [...found.map(({ judgment }) => judgment), ...(open ? [open] : [])]
    const closed = replaced.map((question) => closing(question, at, ended))
    return { ...nothingChanged, created, changed: [...closed, ...changed] }
  },
})

/** Those of the first one's source that are still asked one by one. */
async function oldProposals({ input, state, receipt, at }: Context): Promise<Judged[]> {
  const found: Judged[] = []
  for (const id of input.proposals) {
    const proposal = await state.record(id as RecordId)
    const question = recordOfQuestion(receipt.workspace, judgmentIdOf(id as RecordId))
    const judgment = (await state.record(question)) && (await state.whole(question))
    if (!proposal || judgment?.kind !== 'question' || judgment.valid_to !== null) continue
    const isGatherable = proposal.status === 'proposed' && proposal.superseded_by === null && isOld(proposal, at)
    const [first] = found
    if (isGatherable && (first === undefined || isOfOneSource(proposal, first.proposal))) {
      found.push({ proposal, judgment })
    }
  }
  return found
}

function isOfOneSource(one: Envelope, other: Envelope): boolean {
  return one.audience === other.audience && sourceOfProposal(one) === sourceOfProposal(other)
}

async function openQuestion({ input, state }: Context, { audience }: Envelope) {
  const question = input.open === undefined ? undefined : await state.whole(input.open)
  if (question?.kind !== 'question' || question.valid_to !== null || question.audience !== audience) return undefined
  return isAboutOldProposals(question.body) ? question : undefined
}
