/** What a decision supersedes: targets that are there, targets that may come, and those that waited for it. */
import type { Link } from '../journal/entry.ts'
import type { DecideContext, NewRow, Outcome } from '../operation.ts'
import { problem } from '../problem.ts'
import { type RecordId, uuidPattern } from '../records/ids.ts'
import type { DecisionBody, Envelope, Successor } from '../records/record.ts'
import {
  covers,
  type DraftLink,
  decidedAt,
  isSupersededBy,
  takesEffect,
  withSuccessor,
} from '../records/supersession.ts'
import type { DecisionInput } from './input.ts'

type Context = DecideContext<DecisionInput>

interface Forward {
  /** What changes in the row that supersedes. */
  row: Partial<NewRow>
  changed: Outcome['changed']
  links: DraftLink[]
}

/** Throws not_found, superseded_invisible or would_cycle: then nothing of the decision is recorded. */
export async function supersedeTargets(context: Context, row: NewRow, targets: readonly string[]): Promise<Forward> {
  const now = decidedAt(context)
  const effect = takesEffect(row, now)
  const forward: Forward = { row: {}, changed: [], links: await weighedAgain(context, row) }
  const supersedes = [...row.supersedes]
  const wanted = new Set([...targets, ...forward.links.map((link) => link.target)])
  for (const target of wanted) {
    const found = await targetOf(context, row, target)
    if (!found) {
      forward.links.push(linkOf(context, row, target, effect === 'held' ? 'held' : 'target'))
      continue
    }
    if (supersedes.includes(found.record_id)) continue
    const obstacle = await obstacleTo(context, row, found, target)
    if (obstacle) {
      // what an earlier revision named, and what has become impossible since, does not fail this one
      if (!targets.includes(target)) continue
      throw obstacle
    }
    if (effect === 'now') {
      supersedes.push(found.record_id)
      forward.changed.push({ id: found.id, set: withSuccessor(found, successorOf(row), context.at) })
    } else {
      forward.links.push(linkOf(context, row, found.record_id, effect))
    }
  }
  if (supersedes.length > row.supersedes.length) forward.row = { supersedes }
  return forward
}

async function obstacleTo({ state }: Context, row: NewRow, found: Envelope, target: string) {
  if (found.record_id === row.record_id || (await isSupersededBy(state, row.record_id, found.record_id))) {
    return problem('would_cycle', `It would supersede itself, by way of ${target}.`)
  }
  if (!covers(row.audience, found.audience)) {
    return problem('superseded_invisible', 'Everyone who sees the older decision must see the newer one.')
  }
  return undefined
}

/** Links that waited for this new decision: each takes effect, is dated, or is void, which both records note. */
export async function takeWaiting(context: Context, outcome: Outcome): Promise<Outcome> {
  let row = outcome.created[0] as NewRow
  const { external_id } = row
  if (external_id === null) return outcome
  const changed = [...outcome.changed]
  const links = [...outcome.links]
  for (const link of await context.state.linksTo(external_id)) {
    const successor = await context.state.record(link.successor)
    // written by someone who doesn't see this one: it is not what they named
    if (!successor || !link.audiences.includes(row.audience)) continue
    const effect = takesEffect(successor, decidedAt(context))
    const reason = await whyVoid(context, successor, row)
    if (reason) {
      const whole = await context.state.whole(successor.id)
      const body = whole?.body as DecisionBody
      changed.push({
        id: successor.id,
        set: { body: noting(body, external_id, reason), updated_at: context.at },
      })
      row = { ...row, body: noting(row.body as DecisionBody, successor.record_id, reason) }
      links.push(moved(link, { state: 'closed' }))
    } else if (effect === 'now') {
      row = { ...row, ...withSuccessor(row, successorOf(successor, link.reason), context.at) }
      changed.push({
        id: successor.id,
        set: { supersedes: [...successor.supersedes, row.record_id], updated_at: context.at },
      })
      links.push(moved(link, { state: 'closed' }))
    } else {
      links.push(moved(link, { state: effect, target: row.record_id, due: successor.valid_from }))
    }
  }
  return { ...outcome, created: [row], changed, links }
}

/** A revision may be dated or accepted otherwise than the one before: what that one held back is weighed again. */
async function weighedAgain(context: Context, row: NewRow): Promise<DraftLink[]> {
  if (row.revision === 1) return []
  const waiting = (await context.state.linksOf(row.record_id)).filter((link) => link.state !== 'target')
  return waiting.map((link) => moved(link, { state: 'closed' }))
}

async function targetOf(context: Context, row: NewRow, target: string): Promise<Envelope | undefined> {
  const { state, actor } = context
  const isId = uuidPattern.test(target)
  const named = isId ? await state.record(target.toLowerCase() as RecordId) : undefined
  if (named?.kind === 'decision' && actor.audiences.includes(named.audience)) return named
  if (target === row.external_id) throw problem('would_cycle', 'A decision can not supersede itself.')
  const found = (await state.withExternalId(actor.audiences, target)).filter((one) => one.kind === 'decision')
  // an external_id may come later; an id that is nowhere never will
  if (isId && found.length === 0) {
    throw problem('not_found', 'There is no decision with an id named in supersedes.')
  }
  return (
    found.find((one) => one.audience === row.audience) ??
    found.find((one) => covers(row.audience, one.audience)) ??
    found[0]
  )
}

async function whyVoid(
  { state }: Context,
  successor: Envelope,
  target: NewRow,
): Promise<'narrower_audience' | 'would_cycle' | undefined> {
  if (!covers(successor.audience, target.audience)) return 'narrower_audience'
  // the new one is not in the state yet: it is behind the successor when something that it supersedes is
  for (const id of target.supersedes) {
    if (await isSupersededBy(state, successor.record_id, id)) return 'would_cycle'
  }
  return undefined
}

function noting(body: DecisionBody, target: string, reason: 'narrower_audience' | 'would_cycle'): DecisionBody {
  return { ...body, void_links: [...body.void_links, { target, reason }].slice(0, 50) }
}

function successorOf(
  row: Pick<NewRow, 'record_id' | 'valid_from'> & { body?: unknown },
  reason?: string | null,
): Successor {
  const own = (row.body as DecisionBody | undefined)?.supersession_reason ?? null
  return { id: row.record_id, valid_from: row.valid_from, reason: reason ?? own }
}

function linkOf({ input, actor }: Context, row: NewRow, target: string, state: Link['state']): DraftLink {
  return {
    id: `${row.record_id}/${target}`,
    successor: row.record_id,
    target,
    due: row.valid_from,
    state,
    audiences: [...actor.audiences],
    reason: input.supersession_reason ?? null,
  }
}

function moved(link: Link, change: Partial<DraftLink>): DraftLink {
  const { workspace: _, entry: __, ...draft } = link
  return { ...draft, ...change }
}
