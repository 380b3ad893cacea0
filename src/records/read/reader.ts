/**
 * Reads records as one actor sees them at one instant. Every query is limited to the actor's audiences: a record
 * outside of them does not exist for the actor, and neither does a link to it (SEMANTICS 2).
 */
import type { Actor } from '../../access/actor.ts'
import { audiencesOf } from '../../access/actor.ts'
import type { Audience, RecordId, RecordKind } from '../../ids.ts'
import { chunks } from '../../ports/chunks.ts'
import type { Clock } from '../../ports/clock.ts'
import { instant } from '../../ports/clock.ts'
import type { Documents, Picked, Where } from '../../ports/documents.ts'
import { inTurns } from '../../ports/in-turns.ts'
import { isLarge, mostSuccessors, type PrecedentRecord, records } from '../record.ts'
import { isVisible, recordLoader } from './loader.ts'
import { chainBehind, olderRecords } from './older.ts'
import { type PlannedSuccessor, type PlannedTarget, plannedSuccessorsOf, plannedTargetsOf } from './planned.ts'
import { idsAtOnce, type Links, mostLinks, rowsAtOnce, type SeenRecord } from './seen-record.ts'

export interface RecordReader {
  readonly workspace: Actor['workspace']
  readonly audiences: readonly Audience[]
  /** ISO 8601: the instant of the whole answer. */
  readonly now: string
  /** The records with these ids that the actor sees. Each is read from the store once. */
  records(ids: Iterable<RecordId>): Promise<Map<RecordId, SeenRecord>>
  /**
   * The last record in each one's chain of superseded_by; the record itself if nothing supersedes it. With `counts`:
   * the last record of the chain that counts.
   */
  heads(ids: Iterable<RecordId>, counts?: (record: SeenRecord) => boolean): Promise<Map<RecordId, SeenRecord>>
  /** What each supersedes, directly or transitively: at most 50, newest first. */
  behind(ids: Iterable<RecordId>): Promise<Map<RecordId, SeenRecord[]>>
  /** The links of each record to records that the actor sees. */
  links(records: readonly Links[]): Promise<SeenLinks[]>
  /** What each will supersede, once its instant has come or it is accepted, the earliest first. */
  plannedTargets(ids: readonly RecordId[]): Promise<Map<RecordId, PlannedTarget[]>>
  /** What takes the place of each on a known day, the earliest first. */
  plannedSuccessors(ids: readonly RecordId[]): Promise<Map<RecordId, PlannedSuccessor[]>>
  /** The external_ids among these that belong to a record of this kind which the actor sees. */
  externalIds(kind: RecordKind, ids: readonly string[]): Promise<Set<string>>
  /** The rows with these ids that the actor sees, with these fields. */
  rows<F extends keyof PrecedentRecord & string>(
    rowIds: readonly string[],
    fields: readonly F[],
  ): Promise<Map<string, Picked<PrecedentRecord, F | 'id'>>>
}

export interface SeenLinks {
  /** The first 50, earliest first. The first one is superseded_by. */
  successors: { record: SeenRecord; reason: string | null }[]
  supersedes: SeenRecord[]
}

/** Ids in one query that reads texts. SQLite reads in the thread that serves: ten decisions of the longest kind took 200 ms. */
const textsAtOnce = 5
/** Steps of a walk to the head. A record with a longer chain is not shown as current. */
const longestChain = 1_000
/** Records that one walk reads. A record whose head was not reached is not shown as current. */
const mostWalked = 4_000

export function recordReader(documents: Documents, actor: Actor, clock: Clock): RecordReader {
  const { workspace } = actor
  const audiences = audiencesOf(actor)
  const now = instant(clock)
  const sight = { workspace, audiences, now }
  const { load, loaded } = recordLoader(documents, sight)
  const older = olderRecords({ documents, workspace, read: load })
  const turn = inTurns()

  /** Loads records level by level; `next` gives the ids of the next level. */
  async function walk(
    ids: RecordId[],
    levels: number,
    next: (found: SeenRecord[]) => RecordId[] | Promise<RecordId[]>,
  ): Promise<void> {
    const seen = new Set<RecordId>()
    let level = ids
    for (let depth = 0; level.length > 0 && depth <= levels && seen.size < mostWalked; depth++) {
      for (const id of level) seen.add(id)
      const found = await load(level)
      level = [...new Set(await next([...found.values()]))].filter((id) => !seen.has(id))
    }
  }

  function headOf(id: RecordId, counts: (record: SeenRecord) => boolean): SeenRecord | undefined {
    let head: SeenRecord | undefined
    let record = loaded.get(id)
    for (let depth = 0; record && depth <= longestChain; depth++) {
      if (counts(record)) head = record
      const after = successorsOf(record)
      // the walk stopped before this successor, so the head is unknown
      if (after.some((one) => !loaded.has(one))) return undefined
      const next = after.find((one) => loaded.get(one))
      if (next === undefined) return head
      record = loaded.get(next)
    }
    return undefined
  }

  const reader: RecordReader = {
    workspace,
    audiences,
    now,
    records: load,

    async heads(ids, counts = () => true) {
      const wanted = [...new Set(ids)]
      await walk(wanted, longestChain, (found) => found.flatMap(successorsOf))
      return new Map(
        wanted.flatMap((id): [RecordId, SeenRecord][] => {
          const head = headOf(id, counts)
          return head ? [[id, head]] : []
        }),
      )
    },

    async behind(ids) {
      const wanted = [...new Set(ids)]
      await walk(wanted, mostLinks, async (found) => {
        return (await older.of(found)).flat().map(({ record_id }) => record_id)
      })
      const seenBehind = (record: SeenRecord) => older.idsOf(record).flatMap((one) => loaded.get(one) ?? [])
      return new Map(wanted.map((id) => [id, chainBehind(loaded.get(id), seenBehind)]))
    },

    async links(all) {
      const found = await load(all.flatMap(successorsOf))
      const superseded = await older.of(all)
      return all.map(({ successors }, at) => ({
        successors: successors
          .flatMap(({ id, reason }) => {
            const successor = found.get(id)
            return successor ? [{ record: successor, reason }] : []
          })
          .slice(0, mostLinks),
        supersedes: superseded[at] ?? [],
      }))
    },

    plannedTargets: (ids) => plannedTargetsOf(ids, reader, documents),
    plannedSuccessors: (ids) => plannedSuccessorsOf(ids, reader, documents),

    async externalIds(kind, ids) {
      const found = new Set<string>()
      for (const some of chunks([...new Set(ids)], mostLinks)) {
        const where: Where<PrecedentRecord> = {
          workspace,
          audience: { in: audiences },
          kind,
          external_id: { in: some },
        }
        const rows = await documents.find(records, { where, limit: rowsAtOnce, fields: ['external_id'] })
        for (const row of rows) if (row.external_id !== null) found.add(row.external_id)
      }
      return found
    },

    async rows(rowIds, fields) {
      const found = new Map<string, never>()
      const asked = [...new Set([...fields, 'id', 'workspace', 'audience'] as const)]
      const atOnce = (asked as readonly string[]).some((field) => isLarge(field)) ? textsAtOnce : idsAtOnce
      for (const some of chunks([...new Set(rowIds)], atOnce)) {
        // hidden rows are not loaded either: texts are large, and time would tell them from missing ones
        const where: Where<PrecedentRecord> = { id: { in: some }, workspace, audience: { in: audiences } }
        for (const row of await documents.find(records, { where, limit: some.length, fields: asked })) {
          if (isVisible(sight, row)) found.set(row.id, row as never)
        }
        await turn()
      }
      return found
    },
  }
  return reader
}

/** Enough to find the first 50 that the actor sees: those that the row names, and 50 further ones, which it sees. */
function successorsOf({ successors }: Pick<Links, 'successors'>): RecordId[] {
  return successors.slice(0, mostSuccessors + mostLinks).map((successor) => successor.id)
}
