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
import { type Envelope, envelopeFields, isLarge, mostSuccessors, type PrecedentRecord, records } from '../record.ts'
import { currentOf, includesShownRevision, proposalOf, shownRevision } from '../revisions.ts'
import { furtherSuccessors } from './further-successors.ts'
import { chainBehind, olderRecords } from './older.ts'
import { type PlannedSuccessor, type PlannedTarget, plannedSuccessorsOf, plannedTargetsOf } from './planned.ts'
import { idsAtOnce, type Links, mostLinks, type SeenRecord } from './seen-record.ts'

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

/** Rows of one query. If there are more, each record is read by a separate query. */
const rowsAtOnce = 1_000
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
  const known = new Map<RecordId, SeenRecord | undefined>()
  const turn = inTurns()
  const older = olderRecords({ documents, workspace, read: readRecords })

  /** Checked for every row that is read, whatever the condition of its query. */
  function isVisible(row: Pick<Envelope, 'workspace' | 'audience'>): boolean {
    return row.workspace === workspace && audiences.includes(row.audience)
  }

  async function load(ids: RecordId[]): Promise<void> {
    for (const some of chunks(ids, idsAtOnce)) {
      const where: Where<PrecedentRecord> = { workspace, record_id: { in: some }, audience: { in: audiences } }
      const rows = await documents.find(records, { where, limit: rowsAtOnce, fields: envelopeFields })
      if (rows.length < rowsAtOnce) keep(some, rows)
      else for (const id of some) keep([id], await newestRevisions(id))
      await turn()
      await complete(some)
    }
  }

  /** Adds the successors that the rows of these records have no room for. */
  async function complete(ids: readonly RecordId[]): Promise<void> {
    const full = ids.filter((id) => known.get(id)?.successors.length === mostSuccessors)
    if (full.length === 0) return
    for (const [id, further] of await furtherSuccessors({ documents, workspace, audiences }, full)) {
      const record = known.get(id) as SeenRecord
      const named = new Set(record.successors.map((one) => one.id))
      const successors = [...record.successors, ...further.filter((one) => !named.has(one.id))]
      known.set(id, { ...record, successors })
    }
    await turn()
  }

  /** The newest 50, and older pages until the revision to show is among them. */
  async function newestRevisions(id: RecordId): Promise<Envelope[]> {
    let found: Envelope[] = []
    for (;;) {
      const before = found[0] === undefined ? {} : { accepted: { lt: found[0].accepted } }
      const page = await documents.find(records, {
        where: { workspace, record_id: id, audience: { in: audiences }, ...before },
        sort: [['accepted', 'desc']],
        limit: mostLinks,
        fields: envelopeFields,
      })
      found = [...page.reverse(), ...found]
      await turn()
      if (page.length < mostLinks || includesShownRevision(found.filter(isVisible), now)) return found
    }
  }

  function keep(ids: RecordId[], rows: Envelope[]): void {
    const revisions = new Map<RecordId, Envelope[]>()
    for (const row of rows.filter(isVisible)) {
      const others = revisions.get(row.record_id)
      if (others) others.push(row)
      else revisions.set(row.record_id, [row])
    }
    for (const id of ids) known.set(id, seenOf(revisions.get(id) ?? [], now))
  }

  async function readRecords(ids: Iterable<RecordId>): Promise<Map<RecordId, SeenRecord>> {
    const wanted = [...new Set(ids)]
    await load(wanted.filter((id) => !known.has(id)))
    return new Map(wanted.flatMap((id) => seenAs(id)))
  }

  function seenAs(id: RecordId): [RecordId, SeenRecord][] {
    const record = known.get(id)
    return record ? [[id, record]] : []
  }

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
      const found = await readRecords(level)
      level = [...new Set(await next([...found.values()]))].filter((id) => !seen.has(id))
    }
  }

  function headOf(id: RecordId, counts: (record: SeenRecord) => boolean): SeenRecord | undefined {
    let head: SeenRecord | undefined
    let record = known.get(id)
    for (let depth = 0; record && depth <= longestChain; depth++) {
      if (counts(record)) head = record
      const after = successorsOf(record)
      // the walk stopped before this successor, so the head is unknown
      if (after.some((one) => !known.has(one))) return undefined
      const next = after.find((one) => known.get(one))
      if (next === undefined) return head
      record = known.get(next)
    }
    return undefined
  }

  const reader: RecordReader = {
    workspace,
    audiences,
    now,
    records: readRecords,

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
      const seenBehind = (record: SeenRecord) => older.idsOf(record).flatMap((one) => known.get(one) ?? [])
      return new Map(wanted.map((id) => [id, chainBehind(known.get(id), seenBehind)]))
    },

    async links(all) {
      const found = await readRecords(all.flatMap(successorsOf))
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
          if (isVisible(row)) found.set(row.id, row as never)
        }
        await turn()
      }
      return found
    },
  }
  return reader
}

function seenOf(rows: Envelope[], now: string): SeenRecord | undefined {
  const inOrder = [...rows].sort((a, b) => (a.accepted < b.accepted ? -1 : 1))
  const [current, shown] = [currentOf(inOrder), shownRevision(inOrder, now)]
  if (!current || !shown) return undefined
  const { superseded_by, successors, supersedes } = current
  const proposal = proposalOf(inOrder)
  const revisions = inOrder.reverse().slice(0, mostLinks)
  return { ...shown, superseded_by, successors, supersedes, current: current.id, proposal, revisions }
}

/** Enough to find the first 50 that the actor sees: those that the row names, and 50 further ones, which it sees. */
function successorsOf({ successors }: Pick<Links, 'successors'>): RecordId[] {
  return successors.slice(0, mostSuccessors + mostLinks).map((successor) => successor.id)
}
