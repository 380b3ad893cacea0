/** Resolves the links that waited for a decision with this external_id (SEMANTICS 1). */
import assert from 'node:assert/strict'
import type { DecideContext } from '../deciding/context.ts'
import { linksTo } from '../deciding/links.ts'
import type { NewRow, Outcome } from '../deciding/outcome.ts'
import { wholeOf } from '../deciding/state-at-head.ts'
import { covers, decidedAt, furtherOf, isSupersededBy, successorOf, withSuccessor } from '../deciding/supersession.ts'
import { type Audience, uuidPattern } from '../ids.ts'
import type { DecisionMutable, VoidLink } from '../records/body.ts'
import { type DraftLink, linkBeside, movedLink } from '../records/link.ts'
import type { Envelope } from '../records/record.ts'
import type { DecisionInput } from './input.ts'

type Context = DecideContext<DecisionInput>

/** Void links that a decision names for each audience; counted by audience, so that none displaces those of another. */
const mostVoid = 50

/**
 * Each link takes effect, becomes dated, stays on hold, or is void. Both records name a void link. If some who see the
 * successor don't see this decision, it gets a link of its own, and the link waits on: a decision that all of them see may
 * have the same external_id, and must be superseded as if this one did not exist.
 */
export async function takeWaiting(context: Context, outcome: Outcome): Promise<Outcome> {
  const [made] = outcome.created
  assert(made?.kind === 'decision', 'a decision is recorded')
  let row = made
  const { external_id } = row
  // a link whose target has the form of an id means the record with this id (supersedes.ts)
  if (external_id === null || uuidPattern.test(external_id)) return outcome
  const changed = [...outcome.changed]
  const links = [...(outcome.documents.links ?? [])]
  const successions = [...(outcome.documents.successions ?? [])]
  const notes = new Map<Audience, number>()
  const voided: VoidLink[] = []
  for (const link of await linksTo(context.state, 'decision', external_id)) {
    const successor = await context.state.record(link.successor)
    // the author of the link doesn't see this decision, so the link means another one
    if (!successor || !link.audiences.includes(row.audience)) continue
    // if some who see the successor don't see this decision, neither the successor nor the link may change: that would
    // reveal it
    const isSeen = covers(row.audience, successor.audience)
    const linked = (change: Partial<DraftLink>) =>
      (isSeen ? movedLink : linkBeside)(link, { ...change, target: row.record_id })
    if (link.state === 'on_hold') {
      // nothing takes effect, but the graph shows what is pending
      if (covers(successor.audience, row.audience)) links.push(linked({}))
      continue
    }
    const reason = await whyVoid(context, successor, row)
    if (reason) {
      if (isSeen) {
        const { mutable } = await wholeOf(context.state, successor)
        if (voidLinksIn(mutable).length < mostVoid) {
          const set = { mutable: noting(mutable, { target: external_id, reason }), updated_at: context.at }
          changed.push({ id: successor.id, set })
        }
      }
      const noted = notes.get(successor.audience) ?? 0
      notes.set(successor.audience, noted + 1)
      if (noted < mostVoid) voided.push({ target: successor.record_id, reason })
      if (isSeen) links.push(movedLink(link, { state: 'closed' }))
    } else if (link.due <= decidedAt(context)) {
      const taken = successorOf(successor, link.due, link.reason)
      const { set, left } = withSuccessor(row, taken, context.at)
      row = { ...row, ...set }
      if (left) successions.push(await furtherOf(context.state, row.record_id, left, taken))
      if (isSeen) {
        const supersedes = [...successor.supersedes, row.record_id]
        changed.push({ id: successor.id, set: { supersedes, updated_at: context.at } })
      }
      links.push(linked({ state: isSeen ? 'closed' : 'taken' }))
    } else {
      links.push(linked({ state: 'dated' }))
    }
  }
  if (voided.length > 0) row = { ...row, mutable: { void_links: voided } }
  return { ...outcome, created: [row], changed, documents: { ...outcome.documents, links, successions } }
}

async function whyVoid(
  { state }: Context,
  successor: Envelope,
  target: NewRow,
): Promise<VoidLink['reason'] | undefined> {
  if (!covers(successor.audience, target.audience)) return 'narrower_audience'
  // the new decision is not in the state yet, so look for a cycle through the records that it supersedes
  for (const id of target.supersedes) {
    if (await isSupersededBy(state, successor.record_id, id)) return 'would_cycle'
  }
  return undefined
}

function noting(mutable: DecisionMutable, link: VoidLink): DecisionMutable {
  return { ...mutable, void_links: [...voidLinksIn(mutable), link] }
}

function voidLinksIn({ void_links = [] }: DecisionMutable): readonly VoidLink[] {
  return void_links
}
