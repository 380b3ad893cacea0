/**
 * Finds what records supersede, limited to what an actor sees. The row names it, or only a link does (LinkState: taken)
 * if some actors see the record but not what it superseded.
 */

import type { RecordId, WorkspaceId } from '../../ids.ts'
import { chunks } from '../../ports/chunks.ts'
import type { Documents } from '../../ports/documents.ts'
import { links } from '../link.ts'
import { idsAtOnce, type Links, mostLinks, newestFirst, type SeenRecord } from './seen-record.ts'

/** Taken links of `idsAtOnce` records. */
const mostTaken = 10_000

interface Store {
  documents: Documents
  workspace: WorkspaceId
  /** The records with these ids that the actor sees. */
  read(ids: Iterable<RecordId>): Promise<Map<RecordId, SeenRecord>>
}

export interface OlderRecords {
  /** For each record the first 50 that the actor sees; hidden records don't count. */
  of(newer: readonly Links[]): Promise<SeenRecord[][]>
  /** Including those that the actor doesn't see. Call `of` with the record before. */
  idsOf(record: Links): RecordId[]
}

export function olderRecords({ documents, workspace, read }: Store): OlderRecords {
  const taken = new Map<RecordId, RecordId[]>()

  async function loadTaken(newer: readonly Links[]): Promise<void> {
    const unknown = newer.map((record) => record.record_id).filter((id) => !taken.has(id))
    for (const some of chunks([...new Set(unknown)], idsAtOnce)) {
      const where = { workspace, successor: { in: some }, state: 'taken' as const }
      const found = await documents.find(links, { where, limit: mostTaken, fields: ['successor', 'target'] })
      const targets = new Map(some.map((id): [RecordId, RecordId[]] => [id, []]))
      for (const { successor, target } of found) targets.get(successor)?.push(target as RecordId)
      for (const [id, older] of targets) taken.set(id, older)
    }
  }

  function idsOf({ record_id, supersedes }: Links): RecordId[] {
    return [...new Set([...supersedes, ...(taken.get(record_id) ?? [])])]
  }

  async function seenOf(ids: RecordId[]): Promise<SeenRecord[]> {
    const seen: SeenRecord[] = []
    for (const some of chunks(ids, idsAtOnce)) {
      if (seen.length < mostLinks) seen.push(...(await read(some)).values())
    }
    return seen.slice(0, mostLinks)
  }

  return {
    idsOf,
    async of(newer) {
      await loadTaken(newer)
      const ids = newer.map(idsOf)
      // one read that covers all ids of most records
      await read(ids.flatMap((some) => some.slice(0, mostLinks)))
      const found: SeenRecord[][] = []
      for (const some of ids) found.push(await seenOf(some))
      return found
    },
  }
}

/** All that a record supersedes, directly or transitively, newest first. `seenBehind` gives the direct ones. */
export function chainBehind(
  from: SeenRecord | undefined,
  seenBehind: (record: SeenRecord) => SeenRecord[],
): SeenRecord[] {
  const chain = new Map<RecordId, SeenRecord>()
  let level = from ? [from] : []
  while (level.length > 0 && chain.size < mostLinks) {
    level = level
      .flatMap((one) => seenBehind(one).slice(0, mostLinks))
      .filter(({ record_id }) => record_id !== from?.record_id && !chain.has(record_id))
    for (const one of level) if (chain.size < mostLinks) chain.set(one.record_id, one)
  }
  return [...chain.values()].sort(newestFirst)
}
