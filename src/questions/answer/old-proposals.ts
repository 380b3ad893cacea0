/**
 * Applies one answer to all old proposals of a question. All changes are in one entry of the journal, so an answer applies to
 * all of them or to none, however often it is sent.
 */
import type { DecideContext } from '../../deciding/context.ts'
import { entityOf, nothingChanged, type Outcome, outcomeAbout } from '../../deciding/outcome.ts'
import { wholeOf } from '../../deciding/state-at-head.ts'
import { successorOf, superseded } from '../../deciding/supersession.ts'
import type { Envelope, RecordOf } from '../../records/record.ts'
import { titleFrom } from '../../records/title.ts'
import { type AnswerOutcome, decisionFromNote } from './answer-outcome.ts'
import type { ResolveInput } from './input.ts'
import { rejected } from './judgment.ts'

type Context = DecideContext<ResolveInput>

export async function answerOldProposals(context: Context, question: RecordOf<'question'>): Promise<AnswerOutcome> {
  const { input, state } = context
  const proposals: Envelope[] = []
  for (const { record } of question.body.about) proposals.push((await state.record(record)) as Envelope)
  if (input.resolution !== 'confirm' && input.resolution !== 'dismiss') return replaced(context, proposals, question)
  const change = input.resolution === 'confirm' ? stillOpen : rejectedOf
  const outcomes: Outcome[] = []
  for (const proposal of proposals) outcomes.push(await change(context, proposal))
  return { outcome: { ...nothingChanged, entity: entityOf(question), ...together(outcomes) }, made: null }
}

/** It stays a proposal. */
async function stillOpen({ state, at }: Context, proposal: Envelope): Promise<Outcome> {
  const { mutable } = (await wholeOf(state, proposal)) as RecordOf<'decision'>
  const set = { updated_at: at, mutable: { ...mutable, confirmed_at: at } }
  return { ...nothingChanged, changed: [{ id: proposal.id, set }] }
}

async function rejectedOf(context: Context, proposal: Envelope): Promise<Outcome> {
  const row = (await wholeOf(context.state, proposal)) as RecordOf<'decision'>
  return (await rejected(context, row)).outcome
}

function together(outcomes: readonly Outcome[]): Pick<Outcome, 'changed' | 'documents'> {
  const links = outcomes.flatMap(({ documents }) => documents.links ?? [])
  return { changed: outcomes.flatMap(({ changed }) => changed), documents: links.length === 0 ? {} : { links } }
}

/** The note becomes one accepted decision that supersedes all of the proposals. */
async function replaced(
  context: Context,
  proposals: readonly Envelope[],
  { audience }: RecordOf<'question'>,
): Promise<AnswerOutcome> {
  const note = context.input.note as string
  const row = decisionFromNote(context, note, {
    audience,
    title: titleFrom(note),
    supersedes: proposals.map(({ record_id }) => record_id),
  })
  const changed: Outcome['changed'] = []
  for (const proposal of proposals) {
    changed.push(...(await superseded(context.state, proposal, successorOf(row), context.at)))
  }
  return { outcome: outcomeAbout(row, { created: [row], changed }), made: row.record_id }
}
