/** How one record supersedes another (SEMANTICS 1): who may, from when, and what changes in both rows. */

import assert from 'node:assert/strict'
import type { Audience, RecordId } from '../ids.ts'
import type { Link } from '../records/link.ts'
import { type Envelope, mostSuccessors, type Successor } from '../records/record.ts'
import { isOnlyProposed } from '../records/revisions.ts'
import { type DraftSuccession, successionOf } from '../records/succession.ts'
import { followingOutcomes } from './facets.ts'
import { takenBy } from './links.ts'
import type { NewRow, Outcome } from './outcome.ts'
import type { StateAtHead } from './state-at-head.ts'

/** Whether everyone in the `older` audience is also in the `newer` one. */
export function covers(newer: Audience, older: Audience): boolean {
  return newer === 'workspace' || newer === older
}

type Standing = Pick<NewRow, 'status' | 'valid_from'>

/** now: takes effect in this entry. dated: takes effect at `from`. on_hold: no effect while proposed or rejected. */
export interface Effect {
  state: 'now' | 'dated' | 'on_hold'
  /** From when on the older record is superseded. */
  from: string
}

/**
 * The effect of a supersession by the revision accepted last. `planned` is the instant from which an earlier revision
 * was to supersede: the earlier of both instants counts, and a revision that is only proposed does not change it.
 * `at` is the later of the entry's instant and the acceptance, so that a difference between clocks dates nothing ahead.
 */
export function takesEffect(row: Standing, at: string, planned?: string): Effect {
  const isOnHold = isOnlyProposed(row)
  if (isOnHold && planned === undefined) return { state: 'on_hold', from: row.valid_from }
  const from = planned !== undefined && (isOnHold || planned < row.valid_from) ? planned : row.valid_from
  return { state: from <= at ? 'now' : 'dated', from }
}

/** The instant from which a link's successor is to supersede, by its revisions so far. */
export function plannedBy({ state, due }: Pick<Link, 'state' | 'due'>): string | undefined {
  return state === 'on_hold' ? undefined : due
}

/** The earliest instant from which the successor of these links is to supersede. */
export function earliestPlanned(waiting: readonly Pick<Link, 'state' | 'due'>[]): string | undefined {
  return waiting.flatMap((link) => plannedBy(link) ?? []).sort()[0]
}

/** The changes in all revisions of a record that gets one more successor, or an earlier one. */
export async function superseded(
  state: StateAtHead,
  target: Envelope,
  successor: Successor & Pick<Envelope, 'audience'>,
  at: string,
): Promise<Outcome['changed']> {
  const { set, left } = withSuccessor(target, successor, at)
  const further = left && (await furtherOf(state, target.record_id, left, successor))
  const revisions = (await state.revisions(target.record_id)).map((row) =>
    row.id === target.id ? { ...target, ...set } : row,
  )
  return [
    { id: target.id, set, ...(further ? { further } : {}) },
    ...newEnds(revisions, set.successors, at),
    ...(await followingOutcomes(state, { ...target, ...set }, at)),
  ]
}

/** The row as a successor. Without `from`: from its own instant on. */
export function successorOf(
  { record_id: id, valid_from, audience }: Pick<Envelope, 'record_id' | 'valid_from' | 'audience'>,
  from = valid_from,
  reason: string | null = null,
): Successor & Pick<Envelope, 'audience'> {
  return { id, valid_from: from, reason, audience }
}

/** The document of a successor that the row has no room for. */
export async function furtherOf(
  state: StateAtHead,
  target: RecordId,
  { id, valid_from, reason }: Successor,
  added: Pick<Envelope, 'audience'> & Pick<Successor, 'id'>,
): Promise<DraftSuccession> {
  const audience = id === added.id ? added.audience : (await state.record(id))?.audience
  assert(audience, `the successor ${id} is missing: rows are never deleted`)
  return successionOf({ target, successor: id, audience, valid_from, reason })
}

/**
 * Changes of the revisions that now end at another instant. A revision ends when a revision accepted after it begins,
 * or when a successor of the record does. A revision that is only proposed ends no decided one. `revisions` must be in
 * the order of acceptance.
 */
export function newEnds(
  revisions: readonly Pick<Envelope, 'id' | 'status' | 'valid_from' | 'valid_to'>[],
  successors: readonly Successor[],
  at: string,
): { id: string; set: Pick<NewRow, 'valid_to' | 'updated_at'> }[] {
  const changed: ReturnType<typeof newEnds> = []
  let [decided, proposed] = [successors[0]?.valid_from, successors[0]?.valid_from]
  for (const row of revisions.toReversed()) {
    const end = isOnlyProposed(row) ? proposed : decided
    const valid_to = end === undefined ? row.valid_to : later(row.valid_from, end)
    // after an undone supersession, the revision that was superseded stays ended at that instant
    const isEnded = !isOnlyProposed(row) && row.valid_to !== null && valid_to !== null && row.valid_to < valid_to
    if (valid_to !== row.valid_to && !isEnded) changed.push({ id: row.id, set: { valid_to, updated_at: at } })
    proposed = earlier(proposed, row.valid_from)
    if (!isOnlyProposed(row)) decided = earlier(decided, row.valid_from)
  }
  return changed
}

/** The changes of a row that gets one more successor. `left`: the one that the row then has no room for. */
export function withSuccessor(
  row: Pick<Envelope, 'successors' | 'valid_from'>,
  { id, valid_from, reason }: Successor,
  at: string,
): { set: Pick<NewRow, 'successors' | 'superseded_by' | 'valid_to' | 'updated_at'>; left: Successor | undefined } {
  const others = row.successors.filter((one) => one.id !== id)
  const all = [...others, { id, valid_from, reason }].sort(earliestFirst)
  const successors = all.slice(0, mostSuccessors)
  const earliest = successors[0] as Successor
  const set = {
    successors,
    superseded_by: earliest.id,
    valid_to: later(row.valid_from, earliest.valid_from),
    updated_at: at,
  }
  return { set, left: all[mostSuccessors] }
}

/** Successors with the same valid_from stay in the order in which they took effect: the sort is stable. */
function earliestFirst(a: Successor, b: Successor): number {
  return a.valid_from < b.valid_from ? -1 : a.valid_from > b.valid_from ? 1 : 0
}

/** The instant of a decision. Never before its acceptance, even if the worker's clock is behind the clock of web. */
export function decidedAt({ at, receipt }: { at: string; receipt: { accepted_at: string } }): string {
  return later(at, receipt.accepted_at)
}

export function later(a: string, b: string): string {
  return a > b ? a : b
}

function earlier(a: string | undefined, b: string): string {
  return a !== undefined && a < b ? a : b
}

/** Whether `from` is superseded by `to`, directly or transitively. */
export async function isSupersededBy(state: StateAtHead, from: RecordId, to: RecordId): Promise<boolean> {
  let namesAll = true
  const found = await leadsTo(from, to, async (id) => {
    const { successors = [] } = (await state.record(id)) ?? {}
    namesAll &&= successors.length < mostSuccessors
    return successors.map((successor) => successor.id)
  })
  // rows name only 50 successors; `supersedes` is complete, but following it takes longer
  return found || (!namesAll && leadsTo(to, from, (id) => supersededBy(state, id)))
}

/** All that a record supersedes directly, including records hidden from some who see it. */
export async function supersededBy(state: StateAtHead, id: RecordId): Promise<RecordId[]> {
  return [...((await state.record(id))?.supersedes ?? []), ...(await takenBy(state, id))]
}

/** Whether `to` can be reached from `from` by `next`. Cycles are allowed. */
async function leadsTo(
  from: RecordId,
  to: RecordId,
  next: (id: RecordId) => Promise<readonly RecordId[]>,
): Promise<boolean> {
  const seen = new Set<RecordId>()
  const open = [from]
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    if (id === to) return true
    if (seen.has(id)) continue
    seen.add(id)
    open.push(...(await next(id)))
  }
  return false
}

/** The last record in the chain of superseded_by, following only records in these audiences. */
export async function headOfChain(
  state: StateAtHead,
  from: Envelope,
  audiences: readonly Audience[],
): Promise<Envelope> {
  let head = from
  const seen = new Set<RecordId>()
  while (head.superseded_by !== null && !seen.has(head.record_id)) {
    seen.add(head.record_id)
    const next = await state.record(head.superseded_by)
    if (!next || !audiences.includes(next.audience)) break
    head = next
  }
  return head
}
