/**
 * Supersessions that have not taken effect. One that is dated ahead is only committed when its instant has come
 * (take-effect.ts), that of a proposal when a person accepts it.
 */

import { type RecordId, uuidPattern, type WorkspaceId } from '../../ids.ts'
import { chunks } from '../../ports/chunks.ts'
import type { Documents, Where } from '../../ports/documents.ts'
import { inTurns } from '../../ports/in-turns.ts'
import { type Link, links } from '../link.ts'
import { idsAtOnce, mostLinks, type SeenRecord } from './seen-record.ts'

/** The parts of a RecordReader that are needed here. */
interface Reader {
  readonly workspace: WorkspaceId
  /** ISO 8601. */
  readonly now: string
  records(ids: Iterable<RecordId>): Promise<Map<RecordId, SeenRecord>>
  heads(ids: Iterable<RecordId>): Promise<Map<RecordId, SeenRecord>>
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

/** Links of one query. If there are more, each record is read by a separate query. */
const linksAtOnce = 10_000
/** Links of one record between records that the actor sees, the earliest. A few more than are shown may have no effect. */
const mostExamined = 200
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
  const waiting = await linksOf('target', [...new Set(ids)], ['dated'], reader, documents)
  const due = waiting.filter((link) => link.due <= at)
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
  const wanted = [...new Set(ids)]
  const ahead = await linksOf('successor', wanted, ['dated', 'on_hold'], reader, documents)
  const behind = await linksOf('target', wanted, ['dated'], reader, documents)
  const seen = await reader.records([...ahead, ...behind].flatMap(({ successor, target }) => [successor, target]))
  // hidden records must not take up places
  const isSeen = ({ successor, target }: Waiting) => seen.has(successor) && seen.has(target)
  const supersedes = firstOfEach('successor', ahead.filter(isSeen))
  const successors = firstOfEach('target', behind.filter(isSeen))
  const newer = new Set([...supersedes, ...successors].map(({ successor }) => successor))
  const [heads, chains] = [await reader.heads(newer), await chainsAhead(newer, reader)]
  // a link has no effect if its target has superseded its successor in the meantime
  const hasEffect = ({ successor, target }: Waiting) => !chains.get(successor)?.has(target)
  const [kept, planned] = [supersedes.filter(hasEffect), successors.filter(hasEffect)]
  const reasons = await reasonsOf(kept, documents)
  const pending = new Map<RecordId, Pending>()
  const at = (id: RecordId): Pending => {
    const found = pending.get(id) ?? { supersedes: [], successors: [] }
    pending.set(id, found)
    return found
  }
  for (const { id, successor, target, state, due } of kept) {
    const [record, reason] = [seen.get(target) as SeenRecord, reasons.get(id) ?? null]
    at(successor).supersedes.push({ record, at: state === 'dated' ? due : null, reason })
  }
  for (const { successor, target, due } of planned) {
    const head = heads.get(successor)
    if (head) at(target).successors.push({ record: head, at: due })
  }
  return pending
}

interface Waiting extends Pick<Link, 'id' | 'successor' | 'state' | 'due'> {
  target: RecordId
}

/** The earliest first. A target that is not recorded yet is named by its external_id, and left out. */
async function linksOf(
  field: 'successor' | 'target',
  ids: readonly RecordId[],
  states: readonly Link['state'][],
  { workspace }: Reader,
  documents: Documents,
): Promise<Waiting[]> {
  const turn = inTurns()
  const found: Waiting[] = []
  const find = async (some: readonly RecordId[]): Promise<void> => {
    const where: Where<Link> = { workspace, [field]: { in: some }, state: { in: states } }
    const fields = ['id', 'successor', 'target', 'state', 'due'] as const
    const waiting = await documents.find(links, { where, limit: linksAtOnce, fields })
    await turn()
    if (waiting.length === linksAtOnce && some.length > 1) for (const id of some) await find([id])
    else for (const link of waiting) if (uuidPattern.test(link.target)) found.push(link as Waiting)
  }
  for (const some of chunks(ids, idsAtOnce)) await find(some)
  return found.sort(earliestFirst)
}

function firstOfEach(field: 'successor' | 'target', waiting: readonly Waiting[]): Waiting[] {
  const counts = new Map<RecordId, number>()
  return waiting.filter((link) => {
    const count = (counts.get(link[field]) ?? 0) + 1
    counts.set(link[field], count)
    return count <= mostExamined
  })
}

/** Read only for the links that are shown: a reason may be long. */
async function reasonsOf(kept: readonly Waiting[], documents: Documents): Promise<Map<string, string | null>> {
  const reasons = new Map<string, string | null>()
  for (const some of chunks(kept, idsAtOnce)) {
    const where = { id: { in: some.map(({ id }) => id) } }
    for (const { id, reason } of await documents.find(links, { where, limit: some.length, fields: ['id', 'reason'] }))
      reasons.set(id, reason)
  }
  return reasons
}

/** Those that begin at the same instant by their ids, because the store returns them in no order. */
function earliestFirst(a: Waiting, b: Waiting): number {
  if (a.due !== b.due) return a.due < b.due ? -1 : 1
  return a.id < b.id ? -1 : 1
}

/** For each of the ids that the actor sees: what supersedes it, directly or transitively. */
async function chainsAhead(ids: ReadonlySet<RecordId>, reader: Reader): Promise<Map<RecordId, Set<RecordId>>> {
  const chains = new Map<RecordId, Set<RecordId>>()
  const known = new Map<RecordId, RecordId[]>()
  const turn = inTurns()
  // loads whole chains level by level, so that the calls below need no further query
  await reader.heads(ids)
  for (const id of (await reader.records(ids)).keys()) {
    chains.set(id, await chainAhead(id, known, reader))
    await turn()
  }
  return chains
}

/** `known`: the successors of records that chains have in common. */
async function chainAhead(from: RecordId, known: Map<RecordId, RecordId[]>, reader: Reader): Promise<Set<RecordId>> {
  const chain = new Set<RecordId>()
  const open = [from]
  for (let id = open.pop(); id !== undefined && chain.size < longestChain; id = open.pop()) {
    const after = known.get(id) ?? (await successorsOf(id, reader))
    known.set(id, after)
    for (const next of after) {
      if (chain.has(next)) continue
      chain.add(next)
      open.push(next)
    }
  }
  return chain
}

/** The first of them that the actor sees. */
async function successorsOf(id: RecordId, reader: Reader): Promise<RecordId[]> {
  const { successors = [] } = (await reader.records([id])).get(id) ?? {}
  const seen = await reader.records(successors.map((one) => one.id))
  return [...seen.keys()].slice(0, mostLinks)
}
