/**
 * Supersessions that have not taken effect. One that is dated ahead is only committed when its instant has come
 * (take-effect.ts), that of a proposal when a person accepts it.
 */

import { type RecordId, uuidPattern, type WorkspaceId } from '../../ids.ts'
import { chunks } from '../../ports/chunks.ts'
import type { Documents, Where } from '../../ports/documents.ts'
import { type Link, links } from '../link.ts'
import type { Links, SeenRecord } from './seen-record.ts'

/** The parts of a RecordReader that are needed here. */
interface Reader {
  readonly workspace: WorkspaceId
  /** ISO 8601. */
  readonly now: string
  records(ids: Iterable<RecordId>): Promise<Map<RecordId, SeenRecord>>
  heads(ids: Iterable<RecordId>): Promise<Map<RecordId, SeenRecord>>
  links(records: readonly Links[]): Promise<{ successors: { record: SeenRecord }[] }[]>
}

/** Of one record, with records that the actor sees. */
export interface Pending {
  /** What it will supersede, the earliest first. `at`: null until its decision is accepted. */
  supersedes: { record: SeenRecord; at: string | null; reason: string | null }[]
  /**
   * What takes its place on a known day, the earliest first: the record that will supersede it, or the newest of the
   * chain of that record. Proposals are not among them.
   */
  successors: { record: SeenRecord; at: string }[]
}

const targetsAtOnce = 200
/** Rows of one query. A record has few links that are dated ahead. */
const mostLinks = 2_000
/** Records of a chain that are followed from one successor. */
const longestChain = 200

/**
 * Returns the ids whose records will be superseded by `at`, by a record that the actor sees. Empty if `at` is not in
 * the future.
 */
export async function supersededUntil(
  at: string,
  ids: Iterable<RecordId>,
  reader: Reader,
  documents: Documents,
): Promise<Set<RecordId>> {
  if (at <= reader.now) return new Set()
  const due: { successor: RecordId; target: RecordId }[] = []
  for (const some of chunks([...new Set(ids)], targetsAtOnce)) {
    const where = { workspace: reader.workspace, target: { in: some }, state: 'dated' as const }
    const waiting = await documents.find(links, { where, limit: mostLinks, fields: ['successor', 'target', 'due'] })
    for (const link of waiting) if (link.due <= at) due.push({ ...link, target: link.target as RecordId })
  }
  const chains = await chainsAhead(new Set(due.map(({ successor }) => successor)), reader)
  // a link has no effect if its target has superseded its successor in the meantime
  const kept = due.filter(({ successor, target }) => chains.get(successor)?.has(target) === false)
  return new Set(kept.map(({ target }) => target))
}

/** Supersessions between one of these records and another one, by the id of each of these records that has any. */
export async function pendingOf(
  ids: readonly RecordId[],
  reader: Reader,
  documents: Documents,
): Promise<Map<RecordId, Pending>> {
  const waiting = new Map<string, Waiting>()
  for (const some of chunks([...new Set(ids)], targetsAtOnce)) {
    for (const which of [{ successor: { in: some } }, { target: { in: some } }]) {
      const where: Where<Link> = { workspace: reader.workspace, ...which, state: { in: ['dated', 'on_hold'] } }
      const fields = ['id', 'successor', 'target', 'state', 'due', 'reason'] as const
      for (const link of await documents.find(links, { where, limit: mostLinks, fields })) waiting.set(link.id, link)
    }
  }
  // a target that is not recorded yet is named by its external_id
  const known = [...waiting.values()].filter(({ target }) => uuidPattern.test(target)).sort(earliestFirst)
  const [wanted, pending] = [new Set(ids), new Map<RecordId, Pending>()]
  const at = (id: RecordId): Pending => {
    const found = pending.get(id) ?? { supersedes: [], successors: [] }
    pending.set(id, found)
    return found
  }
  const seen = await reader.records(known.flatMap(({ successor, target }) => [successor, target]) as RecordId[])
  const successors = new Set(known.map(({ successor }) => successor as RecordId))
  const [heads, chains] = [await reader.heads(successors), await chainsAhead(successors, reader)]
  for (const { successor, target, state, due, reason } of known) {
    const [newer, older] = [seen.get(successor as RecordId), seen.get(target as RecordId)]
    // a link has no effect if its target has superseded its successor in the meantime
    if (!newer || !older || chains.get(newer.record_id)?.has(older.record_id)) continue
    const isDated = state === 'dated'
    if (wanted.has(newer.record_id))
      at(newer.record_id).supersedes.push({ record: older, at: isDated ? due : null, reason })
    const head = heads.get(newer.record_id)
    if (isDated && head && wanted.has(older.record_id)) at(older.record_id).successors.push({ record: head, at: due })
  }
  return pending
}

type Waiting = Pick<Link, 'id' | 'successor' | 'target' | 'state' | 'due' | 'reason'>

/** Those that begin at the same instant by their ids, because the store returns them in no order. */
function earliestFirst(a: Waiting, b: Waiting): number {
  if (a.due !== b.due) return a.due < b.due ? -1 : 1
  return a.id < b.id ? -1 : 1
}

/** For each of the ids that the actor sees: what supersedes it, directly or transitively. */
async function chainsAhead(ids: ReadonlySet<RecordId>, reader: Reader): Promise<Map<RecordId, Set<RecordId>>> {
  const chains = new Map<RecordId, Set<RecordId>>()
  // loads whole chains level by level, so that the calls below need no further query
  await reader.heads(ids)
  for (const record of (await reader.records(ids)).values()) chains.set(record.record_id, await ahead(record, reader))
  return chains
}

async function ahead(from: SeenRecord, reader: Reader): Promise<Set<RecordId>> {
  const chain = new Set<RecordId>()
  const open = [from]
  for (let record = open.pop(); record && chain.size < longestChain; record = open.pop()) {
    for (const { record: next } of (await reader.links([record])).flatMap(({ successors }) => successors)) {
      if (chain.has(next.record_id)) continue
      chain.add(next.record_id)
      open.push(next)
    }
  }
  return chain
}
