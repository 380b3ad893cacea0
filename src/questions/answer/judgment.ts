/**
 * Applies the judgment of a proposal, or of all old proposals of a question: accept it, replace it by another decision, or
 * reject it (SEMANTICS 6, form judgment). An earlier decided revision stays in force until the proposal is accepted.
 */
import assert from 'node:assert/strict'
import { standsAlone } from '../../claims/note.ts'
import type { DecideContext } from '../../deciding/context.ts'
import { followingOutcomes } from '../../deciding/facets.ts'
import { waitingLinksOf } from '../../deciding/links.ts'
import { applyLinksOnHold } from '../../deciding/links-on-hold.ts'
import { newRow } from '../../deciding/new-row.ts'
import { entityOf, type NewRow, nothingChanged, type Outcome, outcomeAbout } from '../../deciding/outcome.ts'
import { wholeOf } from '../../deciding/state-at-head.ts'
import { later, newEnds, successorOf, superseded } from '../../deciding/supersession.ts'
import { takenOver } from '../../deciding/taken-over.ts'
import type { DecisionMutable, QuestionBody } from '../../records/body.ts'
import { exactHash } from '../../records/content-hash.ts'
import { kinds } from '../../records/kinds.ts'
import { movedLink } from '../../records/link.ts'
import type { Envelope, RecordOf } from '../../records/record.ts'
import { linksOf, proposalOf } from '../../records/revisions.ts'
import { titleFrom } from '../../records/title.ts'
import type { ResolveInput } from './input.ts'

type Context = DecideContext<ResolveInput>

export async function answerJudgment(context: Context, { about }: QuestionBody): Promise<Outcome> {
  const { input, state } = context
  const id = (about[0] as (typeof about)[number]).record
  const current = (await state.record(id)) as Envelope
  const proposal = await wholeOf(state, proposalOf(await state.revisions(id)) as Envelope)
  assert(proposal.kind === 'decision', 'only a decision is proposed')
  if (input.resolution === 'confirm') return accepted(context, proposal, current)
  if (input.resolution === 'dismiss') return rejected(context, proposal)
  // the note takes over the proposal's topics and the like, but nothing of its judgment. What the proposal was to supersede
  // stays in force, because the note may mean to keep it
  const { audience, topics, category, significance, surface, entities } = proposal
  const title = titleOfAnswer(input.note as string, proposal)
  return replaced(context, [current], { audience, title, topics, category, significance, surface, entities })
}

/** “Yes, but for new services only” needs the title of the proposal. It may be the contrary of a note that says all. */
function titleOfAnswer(note: string, { title, body }: RecordOf<'decision'>): string {
  return standsAlone(note, [title, body.judgment]) ? titleFrom(note.trim().replace(firstOfOneWord, '')) : title
}

/** “No. We use NATS”. */
const firstOfOneWord = /^\p{L}+[.!]\s+(?=\S)/u

/** All changes are in one entry of the journal, so an answer applies to all of the proposals or to none. */
export async function answerOldProposals(context: Context, question: RecordOf<'question'>): Promise<Outcome> {
  const { input, state, at } = context
  const proposals: RecordOf<'decision'>[] = []
  for (const { record } of question.body.about) {
    const row = await wholeOf(state, (await state.record(record)) as Envelope)
    assert(row.kind === 'decision', 'only a decision is proposed')
    proposals.push(row)
  }
  const outcome = { ...nothingChanged, entity: entityOf(question) }
  if (input.resolution === 'confirm') {
    // they stay proposals
    const set = ({ mutable }: RecordOf<'decision'>) => ({ mutable: { ...mutable, confirmed_at: at }, updated_at: at })
    return { ...outcome, changed: proposals.map((row) => ({ id: row.id, set: set(row) })) }
  }
  if (input.resolution === 'dismiss') {
    const rejections: Outcome[] = []
    for (const proposal of proposals) rejections.push(await rejected(context, proposal))
    const links = rejections.flatMap(({ documents }) => documents.links ?? [])
    return { ...outcome, changed: rejections.flatMap(({ changed }) => changed), documents: { links } }
  }
  return replaced(context, proposals, { audience: question.audience, title: titleFrom(input.note as string) })
}

/** The proposal is in force from now on. The earlier revision ends, and the proposal supersedes what it was meant to. */
async function accepted(context: Context, whole: RecordOf<'decision'>, current: Envelope) {
  const { at, receipt, state } = context
  const { text: _, body, ...proposal } = whole
  const acceptedRow: Envelope = {
    ...proposal,
    ...linksOf(current),
    status: 'accepted',
    feed: kinds.decision.feed,
    valid_from: receipt.accepted_at,
  }
  const effects = await applyLinksOnHold(context, acceptedRow, body.supersession_reason)
  const revisions = (await state.revisions(acceptedRow.record_id)).map((row) =>
    row.id === acceptedRow.id ? acceptedRow : row,
  )
  const { status, feed, valid_from } = acceptedRow
  const ends = newEnds(revisions, acceptedRow.successors, at)
  const { valid_to } = ends.find(({ id }) => id === acceptedRow.id)?.set ?? acceptedRow
  const following = await followingOutcomes(state, { ...acceptedRow, valid_to }, at, body)
  const isCurrent = current.id === acceptedRow.id
  const set = {
    ...{ status, valid_from, updated_at: at },
    ...(isCurrent ? {} : { feed, ...linksOf(current), mutable: await takenOver(state, whole, current) }),
    ...(effects.supersedes.length > 0 ? { supersedes: [...acceptedRow.supersedes, ...effects.supersedes] } : {}),
  }
  const left = isCurrent ? [] : [{ id: current.id, set: { feed: 'none' as const, updated_at: at } }]
  const changed = [{ id: acceptedRow.id, set }, ...left, ...ends, ...following, ...effects.changed]
  return outcomeAbout(acceptedRow, { changed, documents: { links: effects.links } })
}

/**
 * The proposal stays readable as rejected, and an earlier revision stays in force. `dismissed` and the end date distinguish
 * it from a decision that was recorded as rejected; sync reports it as invalidated.
 */
async function rejected({ receipt, state, at }: Context, proposal: RecordOf<'decision'>): Promise<Outcome> {
  const valid_to = later(proposal.valid_from, receipt.accepted_at)
  const mutable: DecisionMutable = { ...proposal.mutable, dismissed: true }
  const changed = [{ id: proposal.id, set: { status: 'rejected' as const, valid_to, mutable, updated_at: at } }]
  const onHold = (await waitingLinksOf(state, proposal.record_id)).filter((link) => link.state === 'on_hold')
  const links = onHold.map((link) => movedLink(link, { state: 'closed' }))
  return outcomeAbout(proposal, { changed, documents: { links } })
}

/**
 * The note becomes an accepted decision that supersedes these decisions as a whole: proposals and earlier revisions. It has
 * no reasons: they were those of the proposals.
 */
async function replaced(
  context: Context,
  decisions: readonly Envelope[],
  said: Pick<NewRow, 'audience' | 'title'> & Partial<NewRow>,
): Promise<Outcome> {
  const note = context.input.note as string
  const row = newRow(context, {
    ...said,
    record_id: context.newId(),
    kind: 'decision',
    text: note,
    supersedes: decisions.map(({ record_id }) => record_id),
    content_hash: exactHash(note),
    body: {
      ...{ judgment: note, context: null, rationale: null, consequences: null },
      ...{ decided_by: [], supersession_reason: null, names: [] },
    },
    mutable: {},
  })
  const changed: Outcome['changed'] = []
  for (const one of decisions) changed.push(...(await superseded(context.state, one, successorOf(row), context.at)))
  return outcomeAbout(row, { created: [row], changed })
}
