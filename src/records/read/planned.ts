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

/** What a record will supersede. `at`: null until its decision is accepted. */
export interface PlannedTarget {
  record: SeenRecord
  at: string | null
  reason: string | null
}

/** What takes the place of a record on a known day: what will supersede it, or the newest of the chain of that. */
export interface PlannedSuccessor {
  record: SeenRecord
  at: string
}

/** Links of one query. If there are more, each record is read by a separate query. */
const linksAtOnce = 10_000
/** The earliest links of one record that are examined: more than are shown, because some may have no effect. */
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

/** What each of these records will supersede, as far as the actor sees it: by its id, the earliest first. */
export async function plannedTargetsOf(
  ids: readonly RecordId[],
  reader: Reader,
  documents: Documents,
): Promise<Map<RecordId, PlannedTarget[]>> {
  const waiting = await effectiveLinks('successor', ids, ['dated', 'on_hold'], reader, documents)
  const seen = await reader.records(waiting.map(({ target }) => target))
  const reasons = await reasonsOf(waiting, documents)
  return byId(
    waiting.map(({ id, successor, target, state, due }) => {
      const at = state === 'dated' ? due : null
      return [successor, { record: seen.get(target) as SeenRecord, at, reason: reasons.get(id) ?? null }]
    }),
  )
}

/** What will take the place of each of these records: by its id, the earliest first. Proposals are not among them. */
export async function plannedSuccessorsOf(
  ids: readonly RecordId[],
  reader: Reader,
  documents: Documents,
): Promise<Map<RecordId, PlannedSuccessor[]>> {
  const waiting = await effectiveLinks('target', ids, ['dated'], reader, documents)
  const heads = await reader.heads(waiting.map(({ successor }) => successor))
  return byId(
    waiting.flatMap(({ successor, target, due }): [RecordId, PlannedSuccessor][] => {
      const record = heads.get(successor)
      return record ? [[target, { record, at: due }]] : []
    }),
  )
}

function byId<Value>(found: readonly [RecordId, Value][]): Map<RecordId, Value[]> {
  const values = new Map<RecordId, Value[]>()
  for (const [id, value] of found) values.set(id, [...(values.get(id) ?? []), value])
  return values
}

/** Links between two records that the actor sees, and that will have effect. */
async function effectiveLinks(
  field: 'successor' | 'target',
  ids: readonly RecordId[],
  states: readonly Link['state'][],
  reader: Reader,
  documents: Documents,
): Promise<Waiting[]> {
  const waiting = await linksOf(field, [...new Set(ids)], states, reader, documents)
  const seen = await reader.records(waiting.flatMap(({ successor, target }) => [successor, target]))
  // hidden records must not take up places
  const visible = waiting.filter(({ successor, target }) => seen.has(successor) && seen.has(target))
  const examined = firstOfEach(field, visible)
  const chains = await chainsAhead(new Set(examined.map(({ successor }) => successor)), reader)
  // a link has no effect if its target has superseded its successor in the meantime
  return examined.filter(({ successor, target }) => !chains.get(successor)?.has(target))
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
    if (waiting.length === linksAtOnce && some.length > 1) {
      for (const id of some) await find([id])
      return
    }
    for (const link of waiting) if (uuidPattern.test(link.target)) found.push(link as Waiting)
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

/** What supersedes each of these records that the actor sees, directly or transitively. */
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
