/** Loads records as one actor sees them, each from the store once: makes a record from the rows of its revisions. */
import type { Audience, RecordId, WorkspaceId } from '../../ids.ts'
import { chunks } from '../../ports/chunks.ts'
import type { Documents, Where } from '../../ports/documents.ts'
import { inTurns } from '../../ports/in-turns.ts'
import { type Envelope, envelopeFields, mostSuccessors, type PrecedentRecord, records } from '../record.ts'
import { currentOf, includesShownRevision, proposalOf, shownRevision } from '../revisions.ts'
import { furtherSuccessors } from './further-successors.ts'
import { idsAtOnce, mostLinks, rowsAtOnce, type SeenRecord } from './seen-record.ts'

/** Who reads, and when. */
export interface Sight {
  workspace: WorkspaceId
  audiences: readonly Audience[]
  /** ISO 8601. */
  now: string
}

export interface RecordLoader {
  /** The records with these ids that the actor sees. */
  load(ids: Iterable<RecordId>): Promise<Map<RecordId, SeenRecord>>
  /** What was loaded; undefined for an id without a record that the actor sees. */
  readonly loaded: ReadonlyMap<RecordId, SeenRecord | undefined>
}

/** Checked for every row that is read, whatever the condition of its query. */
export function isVisible({ workspace, audiences }: Sight, row: Pick<Envelope, 'workspace' | 'audience'>): boolean {
  return row.workspace === workspace && audiences.includes(row.audience)
}

export function recordLoader(documents: Documents, sight: Sight): RecordLoader {
  const { workspace, audiences, now } = sight
  const loaded = new Map<RecordId, SeenRecord | undefined>()
  const turn = inTurns()
  const isSeen = (row: Envelope) => isVisible(sight, row)

  async function loadUnknown(ids: RecordId[]): Promise<void> {
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
    const full = ids.filter((id) => loaded.get(id)?.successors.length === mostSuccessors)
    if (full.length === 0) return
    for (const [id, further] of await furtherSuccessors({ documents, workspace, audiences }, full)) {
      const record = loaded.get(id) as SeenRecord
      const named = new Set(record.successors.map((one) => one.id))
      const successors = [...record.successors, ...further.filter((one) => !named.has(one.id))]
      loaded.set(id, { ...record, successors })
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
      if (page.length < mostLinks || includesShownRevision(found.filter(isSeen), now)) return found
    }
  }

  function keep(ids: RecordId[], rows: Envelope[]): void {
    const revisions = new Map<RecordId, Envelope[]>()
    for (const row of rows.filter(isSeen)) {
      const others = revisions.get(row.record_id)
      if (others) others.push(row)
      else revisions.set(row.record_id, [row])
    }
    for (const id of ids) loaded.set(id, seenOf(revisions.get(id) ?? [], now))
  }

  return {
    loaded,
    async load(ids) {
      const wanted = [...new Set(ids)]
      await loadUnknown(wanted.filter((id) => !loaded.has(id)))
      return new Map(
        wanted.flatMap((id): [RecordId, SeenRecord][] => {
          const record = loaded.get(id)
          return record ? [[id, record]] : []
        }),
      )
    },
  }
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
