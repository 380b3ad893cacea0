/** Resolves the links that waited for a decision with this external_id (SEMANTICS 1). */
import { wholeOf } from '../journal/state.ts'
import type { DecideContext, NewRow, Outcome } from '../operation.ts'
import { bodyOf, type DecisionBody } from '../records/body.ts'
import type { Audience } from '../records/ids.ts'
import { movedLink } from '../records/link.ts'
import { changedRow, type Envelope } from '../records/record.ts'
import { covers, decidedAt, isSupersededBy, withSuccessor } from '../records/supersession.ts'
import type { DecisionInput } from './input.ts'

type Context = DecideContext<DecisionInput>

/** Void links that a decision names for each audience; counted by audience, so that none displaces those of another. */
const mostVoid = 50

/** Each link takes effect, becomes dated, or is void. Both records name a void link. */
export async function takeWaiting(context: Context, outcome: Outcome): Promise<Outcome> {
  let row = outcome.created[0] as NewRow
  const { external_id } = row
  if (external_id === null) return outcome
  const changed = [...outcome.changed]
  const links = [...outcome.links]
  const notes = new Map<Audience, number>()
  for (const link of await context.state.linksTo(external_id)) {
    const successor = await context.state.record(link.successor)
    // the author of the link doesn't see this decision, so the link means another one
    if (!successor || !link.audiences.includes(row.audience)) continue
    const reason = await whyVoid(context, successor, row)
    // if some who see the successor don't see this decision, the successor must not change: that would reveal it
    const isSeen = covers(row.audience, successor.audience)
    if (reason) {
      if (isSeen) {
        const body = bodyOf(await wholeOf(context.state, successor), 'decision')
        if (body.void_links.length < mostVoid)
          changed.push({ id: successor.id, set: { body: noting(body, external_id, reason), updated_at: context.at } })
      }
      const noted = notes.get(successor.audience) ?? 0
      notes.set(successor.audience, noted + 1)
      if (noted < mostVoid)
        row = changedRow(row, { body: noting(bodyOf(row, 'decision'), successor.record_id, reason) })
      links.push(movedLink(link, { state: 'closed' }))
    } else if (link.due <= decidedAt(context)) {
      const { due: valid_from, reason: why } = link
      row = { ...row, ...withSuccessor(row, { id: successor.record_id, valid_from, reason: why }, context.at) }
      if (isSeen) {
        const supersedes = [...successor.supersedes, row.record_id]
        changed.push({ id: successor.id, set: { supersedes, updated_at: context.at } })
      }
      links.push(movedLink(link, isSeen ? { state: 'closed' } : { state: 'taken', target: row.record_id }))
    } else {
      links.push(movedLink(link, { state: 'dated', target: row.record_id }))
    }
  }
  return { ...outcome, created: [row], changed, links }
}

async function whyVoid(
  { state }: Context,
  successor: Envelope,
  target: NewRow,
): Promise<'narrower_audience' | 'would_cycle' | undefined> {
  if (!covers(successor.audience, target.audience)) return 'narrower_audience'
  // the new decision is not in the state yet, so look for a cycle through the records that it supersedes
  for (const id of target.supersedes) {
    if (await isSupersededBy(state, successor.record_id, id)) return 'would_cycle'
  }
  return undefined
}

function noting(body: DecisionBody, target: string, reason: 'narrower_audience' | 'would_cycle'): DecisionBody {
  return { ...body, void_links: [...body.void_links, { target, reason }] }
}
