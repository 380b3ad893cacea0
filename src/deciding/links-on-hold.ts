/** What a proposal supersedes: its links have no effect until it is accepted (SEMANTICS 1). */
import { type RecordId, uuidPattern } from '../ids.ts'
import { type DraftLink, movedLink } from '../records/link.ts'
import type { Envelope } from '../records/record.ts'
import type { DecideContext } from './context.ts'
import { waitingLinksOf } from './links.ts'
import type { Outcome } from './outcome.ts'
import {
  covers,
  isSupersededBy,
  plannedBy,
  successorOf,
  superseded,
  supersededBy,
  takesEffect,
} from './supersession.ts'

/** The proposal is accepted: its links take effect, and so do the waiting links of its earlier revisions. `why`: the reason that the accepted revision gives. */
export async function applyLinksOnHold<Input>(
  { state, at }: DecideContext<Input>,
  acceptedRow: Envelope,
  why: string | null,
) {
  const effects: Pick<Outcome, 'changed'> & { links: DraftLink[]; supersedes: RecordId[] } = {
    changed: [],
    links: [],
    supersedes: [],
  }
  const done = new Set(await supersededBy(state, acceptedRow.record_id))
  for (const link of await waitingLinksOf(state, acceptedRow.record_id)) {
    const reason = why ?? link.reason
    const { from } = takesEffect(acceptedRow, acceptedRow.valid_from, plannedBy(link))
    const isSeen = (target: Envelope) => covers(target.audience, acceptedRow.audience)
    const target = uuidPattern.test(link.target)
      ? await state.record(link.target as RecordId)
      : (await state.withExternalId(link.target_kind, link.audiences, link.target)).find(isSeen)
    if (!target) {
      effects.links.push(movedLink(link, { reason, state: 'target', due: from }))
      continue
    }
    const closed = movedLink(link, { reason, state: 'closed' })
    const isVoid =
      done.has(target.record_id) ||
      target.record_id === acceptedRow.record_id ||
      !covers(acceptedRow.audience, target.audience) ||
      (await isSupersededBy(state, acceptedRow.record_id, target.record_id))
    if (!isVoid) {
      done.add(target.record_id)
      effects.changed.push(...(await superseded(state, target, successorOf(acceptedRow, from, reason), at)))
      if (isSeen(target)) effects.supersedes.push(target.record_id)
    }
    // some who see the accepted decision don't see this one: its row must not name it
    effects.links.push(isVoid || isSeen(target) ? closed : { ...closed, state: 'taken', due: from })
  }
  return effects
}
