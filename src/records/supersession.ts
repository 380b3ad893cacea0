/** How one record supersedes another (SEMANTICS 1): who may, from when, and what then stands in both rows. */
import type { Link } from '../journal/entry.ts'
import type { StateAtHead } from '../journal/state.ts'
import type { NewRow, Outcome } from '../operation.ts'
import type { Audience, RecordId } from './ids.ts'
import type { Envelope, Successor } from './record.ts'
import { isOnlyProposed } from './revisions.ts'

/** Everyone who sees the older record sees the newer one; or, the other way round, who sees a successor its target. */
export function covers(newer: Audience, older: Audience): boolean {
  return newer === 'workspace' || newer === older
}

type Standing = Pick<NewRow, 'status' | 'valid_from'>

/** now: it takes effect in this entry. dated: when `from` has come. held: not while it is a proposal or rejected. */
export interface Effect {
  state: 'now' | 'dated' | 'held'
  /** From when on the older one is superseded. */
  from: string
}

/**
 * What a record's supersession comes to by the revision accepted last. `planned`: from when an earlier revision was to
 * supersede; where that one begins before this one does, it holds until then, and supersedes all the same. What is only
 * proposed changes nothing of it.
 * `at` is the later of the entry's instant and the acceptance, so that two clocks that differ date nothing ahead.
 */
export function takesEffect(row: Standing, at: string, planned?: string): Effect {
  const isHeld = isOnlyProposed(row)
  if (isHeld && planned === undefined) return { state: 'held', from: row.valid_from }
  const from = planned !== undefined && (isHeld || planned < row.valid_from) ? planned : row.valid_from
  return { state: from <= at ? 'now' : 'dated', from }
}

/** From when on a link's successor was to supersede, by its revisions so far. */
export function plannedBy({ state, due }: Pick<Link, 'state' | 'due'>): string | undefined {
  return state === 'held' ? undefined : due
}

/** What changes in all revisions of a record that gets one more successor, or an earlier one. */
export async function superseded(
  state: StateAtHead,
  target: Envelope,
  successor: Successor,
  at: string,
): Promise<Outcome['changed']> {
  const set = withSuccessor(target, successor, at)
  const revisions = (await state.revisions(target.record_id)).map((row) =>
    row.id === target.id ? { ...target, ...set } : row,
  )
  return [{ id: target.id, set }, ...newEnds(revisions, set.successors, at)]
}

/**
 * Revisions that now end at another instant: each holds until one that was accepted after it begins, or a successor
 * does; but one that is only proposed ends none that was decided. `revisions` in the order of acceptance.
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
    if (valid_to !== row.valid_to) changed.push({ id: row.id, set: { valid_to, updated_at: at } })
    proposed = earlier(proposed, row.valid_from)
    if (!isOnlyProposed(row)) decided = earlier(decided, row.valid_from)
  }
  return changed
}

/** A row names the earliest of its successors. Each of them names it among what it supersedes. */
const mostSuccessors = 50

/** What changes in a row that gets one more successor: `superseded_by` is the earliest of them by valid_from. */
export function withSuccessor(
  row: Pick<Envelope, 'successors' | 'valid_from'>,
  successor: Successor,
  at: string,
): Pick<NewRow, 'successors' | 'superseded_by' | 'valid_to' | 'updated_at'> {
  const others = row.successors.filter((one) => one.id !== successor.id)
  const successors = [...others, successor].sort(earliestFirst).slice(0, mostSuccessors)
  const earliest = successors[0] as Successor
  return {
    successors,
    superseded_by: earliest.id,
    valid_to: later(row.valid_from, earliest.valid_from),
    updated_at: at,
  }
}

/** Of one instant: in the order in which they took effect. */
function earliestFirst(a: Successor, b: Successor): number {
  return a.valid_from < b.valid_from ? -1 : a.valid_from > b.valid_from ? 1 : 0
}

/** The instant of a decision: a worker's clock may be behind the web's, and what was accepted is never in the future. */
export function decidedAt({ at, receipt }: { at: string; receipt: { accepted_at: string } }): string {
  return later(at, receipt.accepted_at)
}

export function later(a: string, b: string): string {
  return a > b ? a : b
}

function earlier(a: string | undefined, b: string): string {
  return a !== undefined && a < b ? a : b
}

/** Whether `from` is superseded by `to`, directly or over others. */
export async function isSupersededBy(state: StateAtHead, from: RecordId, to: RecordId): Promise<boolean> {
  let namesAll = true
  const found = await leadsTo(from, to, async (id) => {
    const { successors = [] } = (await state.record(id)) ?? {}
    namesAll &&= successors.length < mostSuccessors
    return successors.map((successor) => successor.id)
  })
  // from the other end all are known, but the way is longer
  return found || (!namesAll && leadsTo(to, from, (id) => supersededBy(state, id)))
}

/** All that a record supersedes, whoever sees it. */
export async function supersededBy(state: StateAtHead, id: RecordId): Promise<RecordId[]> {
  return [...((await state.record(id))?.supersedes ?? []), ...(await state.takenBy(id))]
}

/** Step by step, in circles too. */
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

/** The end of the chain of superseded_by that the audiences show. */
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
