/** What a decision supersedes: targets that are there, and targets that may come. */
import type { Link } from '../journal/entry.ts'
import type { StateAtHead } from '../journal/state.ts'
import type { DecideContext, NewRow, Outcome } from '../operation.ts'
import { problem } from '../problem.ts'
import { type Audience, type RecordId, uuidPattern } from '../records/ids.ts'
import { type DraftLink, linkOf, movedLink } from '../records/link.ts'
import { outcomeAbout } from '../records/outcome.ts'
import type { Envelope, Successor } from '../records/record.ts'
import {
  covers,
  decidedAt,
  type Effect,
  isSupersededBy,
  plannedBy,
  superseded,
  takesEffect,
} from '../records/supersession.ts'
import type { DecisionInput } from './input.ts'

type Context = DecideContext<DecisionInput>

interface Forward {
  /** What changes in the row that supersedes. */
  row: Partial<Pick<NewRow, 'supersedes'>>
  changed: Outcome['changed']
  links: DraftLink[]
}

/**
 * What a revision makes of a supersession, by the names of its target and from when on it was planned or took effect;
 * undefined: nothing of it changes.
 */
export type Weigh = (names: readonly string[], from: string | undefined) => Weighed | undefined
export type Weighed = Effect & { reason: string | null }

/**
 * `row` as the decision supersedes already. Throws not_found, superseded_invisible or would_cycle: nothing is recorded.
 */
export async function supersedeTargets(
  context: Context,
  row: NewRow,
  weigh: Weigh = (_, from) => weighedAlone(context, row, from),
): Promise<Forward> {
  const { state, at } = context
  // what its row does not name stays unnamed: a revision that names it again must not tell that it is there
  const taken = row.revision === 1 ? [] : await state.takenBy(row.record_id)
  const changed = await begunEarlier(context, row, [...row.supersedes, ...taken], weigh)
  const links = new Map<string, DraftLink>()
  const supersedes = [...row.supersedes]
  for (const wish of await wishesOf(context, row)) {
    const { found, isNamed } = wish
    const isDone = found !== undefined && [...supersedes, ...taken].includes(found.record_id)
    const obstacle = found && !isDone && (await obstacleTo(context, row, found, wish.target))
    if (obstacle && isNamed) throw obstacle
    const effect = weigh(namesOf(wish), earliestOf(wish.waiting))
    if (!effect) continue
    for (const link of wish.waiting) links.set(link.id, movedLink(link, { state: 'closed' }))
    if (isDone) continue
    // what an earlier revision named, and what has become impossible since, does not fail this one
    if (obstacle) continue
    const reason = effect.reason ?? wish.waiting[0]?.reason ?? null
    if (found && effect.state === 'now') {
      const successor = { id: row.record_id, valid_from: effect.from, reason }
      supersedes.push(found.record_id)
      changed.push(...(await superseded(state, found, successor, at)))
    } else {
      const link = waitingLink(context, row, wish, { ...effect, reason })
      links.set(link.id, link)
    }
  }
  const gained = supersedes.length > row.supersedes.length ? { supersedes } : {}
  return { row: gained, changed, links: [...links.values()] }
}

/** A new row with what it supersedes. */
export function superseding(row: NewRow, { row: gained, changed, links }: Forward): Outcome {
  const created = { ...row, ...gained }
  return outcomeAbout(created, { created: [created], changed, links })
}

function weighedAlone(context: Context, row: NewRow, from: string | undefined): Weighed {
  return { ...takesEffect(row, decidedAt(context), from), reason: context.input.supersession_reason ?? null }
}

/** A target that this revision names, or one before it did. */
interface Wish {
  target: string
  found: Envelope | undefined
  isNamed: boolean
  /** Links to it that wait. */
  waiting: Link[]
}

/** A revision may be dated or accepted otherwise than the one before: what waits for that one is weighed again. */
async function wishesOf({ input, state, actor }: Context, row: NewRow): Promise<Iterable<Wish>> {
  const wishes = new Map<string, Wish>()
  const wishFor = (target: string, found: Envelope | undefined) => {
    const key = found?.record_id ?? target
    const wish = wishes.get(key) ?? { target, found, isNamed: false, waiting: [] }
    wishes.set(key, wish)
    return wish
  }
  for (const link of row.revision === 1 ? [] : await state.linksOf(row.record_id)) {
    // as who wrote it meant it: who revises may not see it
    const found = await targetOf(state, row, link.target, link.audiences)
    wishFor(link.target, found).waiting.push(link)
  }
  for (const target of input.supersedes) {
    wishFor(target, await targetOf(state, row, target, actor.audiences)).isNamed = true
  }
  return wishes.values()
}

function namesOf({ target, found }: Pick<Wish, 'target' | 'found'>): string[] {
  return [target, ...(found ? [found.record_id, found.external_id ?? target] : [])]
}

function earliestOf(waiting: readonly Link[]): string | undefined {
  return waiting.flatMap((link) => plannedBy(link) ?? []).sort()[0]
}

/** Of what it supersedes already some may be superseded from an earlier instant on. */
async function begunEarlier(
  { state, at, input }: Context,
  row: NewRow,
  older: readonly RecordId[],
  weigh: Weigh,
): Promise<Outcome['changed']> {
  const changed: Outcome['changed'] = []
  for (const id of older) {
    const found = await state.record(id)
    if (!found) continue
    const known = found.successors.find((one) => one.id === row.record_id) ?? {
      // later than those that it names
      ...(found.successors.at(-1) as Successor),
      id: row.record_id,
      reason: input.supersession_reason ?? null,
    }
    const effect = weigh(namesOf({ target: id, found }), known.valid_from)
    if (effect?.state !== 'now' || effect.from >= known.valid_from) continue
    changed.push(...(await superseded(state, found, { ...known, valid_from: effect.from }, at)))
  }
  return changed
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

async function targetOf(
  state: StateAtHead,
  row: NewRow,
  target: string,
  audiences: readonly Audience[],
): Promise<Envelope | undefined> {
  const isId = uuidPattern.test(target)
  const named = isId ? await state.record(target.toLowerCase() as RecordId) : undefined
  if (named?.kind === 'decision' && audiences.includes(named.audience)) return named
  if (target === row.external_id) throw problem('would_cycle', 'A decision can not supersede itself.')
  const found = (await state.withExternalId(audiences, target)).filter((one) => one.kind === 'decision')
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

function waitingLink(
  { actor }: Context,
  row: NewRow,
  { target, found, isNamed, waiting }: Wish,
  { state, from, reason }: Weighed,
): DraftLink {
  return linkOf({
    successor: row.record_id,
    target: found?.record_id ?? target,
    due: from,
    state: state === 'held' ? 'held' : found ? 'dated' : 'target',
    audiences: [...((isNamed ? undefined : waiting[0]?.audiences) ?? actor.audiences)],
    reason,
  })
}
