/** How one record supersedes another (SEMANTICS 1): who may, from when, and what then stands in both rows. */
import type { Link } from '../journal/entry.ts'
import type { StateAtHead } from '../journal/state.ts'
import type { NewRow } from '../operation.ts'
import type { Audience, RecordId } from './ids.ts'
import type { Envelope, Successor } from './record.ts'

/** Everyone who sees the older record sees the newer one. */
export function covers(newer: Audience, older: Audience): boolean {
  return newer === 'workspace' || newer === older
}

type Standing = Pick<NewRow, 'status' | 'valid_from'>

/**
 * now: it takes effect in this entry. dated: when its instant has come. held: not while it is a proposal or rejected.
 * `at` is the later of the entry's instant and the acceptance, so that two clocks that differ date nothing ahead.
 */
export function takesEffect({ status, valid_from }: Standing, at: string): 'now' | 'dated' | 'held' {
  if (status === 'proposed' || status === 'rejected') return 'held'
  return valid_from <= at ? 'now' : 'dated'
}

/** What changes in a row that gets one more successor: `superseded_by` is the earliest of them by valid_from. */
export function withSuccessor(
  row: Pick<Envelope, 'successors' | 'valid_from'>,
  successor: Successor,
  at: string,
): Pick<NewRow, 'successors' | 'superseded_by' | 'valid_to' | 'updated_at'> {
  const others = row.successors.filter((one) => one.id !== successor.id)
  const successors = [...others, successor].sort((a, b) => (a.valid_from < b.valid_from ? -1 : 1))
  const earliest = successors[0] as Successor
  return {
    successors,
    superseded_by: earliest.id,
    valid_to: later(row.valid_from, earliest.valid_from),
    updated_at: at,
  }
}

/** The instant of a decision: a worker's clock may be behind the web's, and what was accepted is never in the future. */
export function decidedAt({ at, receipt }: { at: string; receipt: { accepted_at: string } }): string {
  return later(at, receipt.accepted_at)
}

export function later(a: string, b: string): string {
  return a > b ? a : b
}

/** Whether `from` is superseded by `to`, directly or over others. */
export async function isSupersededBy(state: StateAtHead, from: RecordId, to: RecordId): Promise<boolean> {
  const seen = new Set<RecordId>()
  const open = [from]
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    if (id === to) return true
    if (seen.has(id)) continue
    seen.add(id)
    for (const successor of (await state.record(id))?.successors ?? []) open.push(successor.id)
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

export type DraftLink = Omit<Link, 'workspace' | 'entry'>
