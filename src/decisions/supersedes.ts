/** Decides what a decision supersedes: existing targets, and links to targets that don't exist yet. */

import type { DecideContext } from '../deciding/context.ts'
import { takenBy, waitingLinksOf } from '../deciding/links.ts'
import type { NewRow, Outcome } from '../deciding/outcome.ts'
import { outcomeAbout } from '../deciding/outcome.ts'
import type { StateAtHead } from '../deciding/state-at-head.ts'
import {
  covers,
  decidedAt,
  type Effect,
  earliestPlanned,
  isSupersededBy,
  successorOf,
  superseded,
  takesEffect,
} from '../deciding/supersession.ts'
import { findAtHead } from '../deciding/visible.ts'
import { type Audience, type RecordId, uuidPattern } from '../ids.ts'
import { problem } from '../problem.ts'
import type { Link } from '../records/link.ts'
import { type DraftLink, linkOf, movedLink } from '../records/link.ts'
import { noSuch } from '../records/read/visible.ts'
import { type Envelope, mostSuccessors, type Successor } from '../records/record.ts'
import type { DecisionInput } from './input.ts'

type Context = DecideContext<DecisionInput>

interface Supersessions {
  /** Changes of the superseding row. */
  row: Partial<Pick<NewRow, 'supersedes'>>
  changed: Outcome['changed']
  links: DraftLink[]
}

/**
 * Computes the effect of a supersession on a target with these names. `from`: the instant from which an earlier
 * revision planned it, or from which it is in effect. undefined: it stays unchanged.
 */
export type EvaluateEffect = (names: readonly string[], from: string | undefined) => EffectWithReason | undefined
export type EffectWithReason = Effect & { reason: string | null }

/**
 * `row` must hold what the decision supersedes already. Throws not_found, superseded_invisible or would_cycle; then
 * nothing is recorded.
 */
export async function supersedeTargets(
  context: Context,
  row: NewRow,
  evaluate: EvaluateEffect = (_, from) => effectOfRevision(context, row, from),
): Promise<Supersessions> {
  const { state, at } = context
  // a taken target is not in the row, because some don't see it; naming it again must not add it and reveal it
  const taken = row.revision === 1 ? [] : await takenBy(state, row.record_id)
  const changed = await movedEarlier(context, row, [...row.supersedes, ...taken], evaluate)
  const links = new Map<string, DraftLink>()
  const supersedes = [...row.supersedes]
  for (const wanted of await targetsOf(context, row)) {
    const { found, isNamed } = wanted
    const isDone = found !== undefined && [...supersedes, ...taken].includes(found.record_id)
    const obstacle = found && !isDone && (await obstacleTo(context, row, found, wanted.target))
    if (obstacle && isNamed) throw obstacle
    const effect = evaluate(namesOf(wanted), earliestPlanned(wanted.waiting))
    if (!effect) continue
    for (const link of wanted.waiting) links.set(link.id, movedLink(link, { state: 'closed' }))
    if (isDone) continue
    // only an earlier revision named this target: that it has become impossible does not fail this revision
    if (obstacle) continue
    const reason = effect.reason ?? wanted.waiting[0]?.reason ?? null
    const isNow = found !== undefined && effect.state === 'now'
    if (isNow) changed.push(...(await superseded(state, found, successorOf(row, effect.from, reason), at)))
    if (isNow && isSeen(found, row)) supersedes.push(found.record_id)
    else {
      const link = linkTo(context, row, wanted, { ...effect, reason })
      links.set(link.id, link)
    }
  }
  const gained = supersedes.length > row.supersedes.length ? { supersedes } : {}
  return { row: gained, changed, links: [...links.values()] }
}

/** The outcome for a new row and its supersessions. */
export function superseding(row: NewRow, { row: gained, changed, links }: Supersessions): Outcome {
  const created = { ...row, ...gained }
  return outcomeAbout(created, { created: [created], changed, documents: { links } })
}

function effectOfRevision(context: Context, row: NewRow, from: string | undefined): EffectWithReason {
  return { ...takesEffect(row, decidedAt(context), from), reason: context.input.supersession_reason ?? null }
}

/** A target named by this revision or by an earlier one. */
interface Target {
  target: string
  found: Envelope | undefined
  /** This revision names it. */
  isNamed: boolean
  /** Open links to it from earlier revisions. */
  waiting: Link[]
}

/** Includes the targets of open links, because a revision with another date or status changes their effect. */
async function targetsOf({ input, state, actor }: Context, row: NewRow): Promise<Iterable<Target>> {
  const targets = new Map<string, Target>()
  const entryFor = (target: string, found: Envelope | undefined) => {
    const key = found?.record_id ?? target
    const known = targets.get(key) ?? { target, found, isNamed: false, waiting: [] }
    targets.set(key, known)
    return known
  }
  for (const link of row.revision === 1 ? [] : await waitingLinksOf(state, row.record_id)) {
    // with the audiences of the link's author: the author of this revision may not see the target
    const meant = await meantBy(state, row, link, 'supersedes')
    const found = uuidPattern.test(link.target) ? meant[0] : meant.find((one) => isSeen(one, row))
    entryFor(link.target, found).waiting.push(link)
  }
  for (const [at, target] of input.supersedes.entries()) {
    const { audiences } = actor
    const meant = await meantBy(state, row, { target, audiences }, `supersedes[${at}]`)
    for (const found of meant) entryFor(target, found).isNamed = true
    // an external_id also waits for a decision that everyone who sees this one sees, as if hidden ones did not exist
    const isWaiting = !uuidPattern.test(target) && !meant.some((one) => isSeen(one, row))
    if (isWaiting) entryFor(target, undefined).isNamed = true
  }
  return targets.values()
}

/** Whether everyone who sees the superseding row sees this record. If not, only a link may name it (LinkState: taken). */
function isSeen(older: Envelope, row: NewRow): boolean {
  return covers(older.audience, row.audience)
}

function namesOf({ target, found }: Pick<Target, 'target' | 'found'>): string[] {
  return [target, ...(found ? [found.record_id, found.external_id ?? target] : [])]
}

/** The changes of records that it supersedes already and now supersedes from an earlier instant. */
async function movedEarlier(
  { state, at }: Context,
  row: NewRow,
  older: readonly RecordId[],
  evaluate: EvaluateEffect,
): Promise<Outcome['changed']> {
  const changed: Outcome['changed'] = []
  for (const id of older) {
    const found = await state.record(id)
    if (!found) continue
    const known = await knownSuccessor(state, found, row.record_id)
    if (!known) continue
    const effect = evaluate(namesOf({ target: id, found }), known.valid_from)
    if (effect?.state !== 'now' || effect.from >= known.valid_from) continue
    changed.push(...(await superseded(state, found, successorOf(row, effect.from, known.reason), at)))
  }
  return changed
}

/** As the row of the older record names it, or a document of its own. */
async function knownSuccessor(
  state: StateAtHead,
  { record_id, successors }: Envelope,
  id: RecordId,
): Promise<Pick<Successor, 'valid_from' | 'reason'> | undefined> {
  const named = successors.find((one) => one.id === id)
  if (named || successors.length < mostSuccessors) return named
  return (await state.documents('successions', 'successor', id)).find(({ target }) => target === record_id)
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

/** One decision; or several with this external_id, each hidden from some who see the row. */
async function meantBy(
  state: StateAtHead,
  row: NewRow,
  { target, audiences }: { target: string; audiences: readonly Audience[] },
  field: string,
): Promise<Envelope[]> {
  const isId = uuidPattern.test(target)
  const named = isId ? await findAtHead(state, audiences, target, 'decision') : undefined
  if (named) return [named]
  if (target === row.external_id) throw problem('would_cycle', 'A decision cannot supersede itself.')
  const found = await state.withExternalId('decision', audiences, target)
  // a decision with this external_id may be recorded later; a missing id stays missing
  if (isId && found.length === 0) throw noSuch('decision', field)
  const own = found.find((one) => one.audience === row.audience)
  if (own) return [own]
  const covered = found.filter((one) => covers(row.audience, one.audience))
  return covered.length > 0 ? covered : found.slice(0, 1)
}

function linkTo(
  { actor }: Context,
  row: NewRow,
  { target, found, isNamed, waiting }: Target,
  { state, from, reason }: EffectWithReason,
): DraftLink {
  return linkOf({
    successor: row.record_id,
    target: found?.record_id ?? target,
    target_kind: 'decision',
    due: from,
    state: state === 'on_hold' ? 'on_hold' : found === undefined ? 'target' : state === 'now' ? 'taken' : 'dated',
    audiences: [...((isNamed ? undefined : waiting[0]?.audiences) ?? actor.audiences)],
    reason,
  })
}
