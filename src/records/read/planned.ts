/**
 * Supersessions that are dated ahead, for reads with an as_of in the future: such a supersession is only committed when
 * its instant has come (take-effect.ts).
 */

import type { RecordId } from '../../ids.ts'
import { chunks } from '../../ports/chunks.ts'
import type { Documents } from '../../ports/documents.ts'
import { links } from '../link.ts'
import type { RecordReader } from './reader.ts'
import type { SeenRecord } from './seen-record.ts'

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
  reader: RecordReader,
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

/** For each of the ids that the actor sees: what supersedes it, directly or transitively. */
async function chainsAhead(ids: ReadonlySet<RecordId>, reader: RecordReader): Promise<Map<RecordId, Set<RecordId>>> {
  const chains = new Map<RecordId, Set<RecordId>>()
  // loads whole chains level by level, so that the calls below need no further query
  await reader.heads(ids)
  for (const record of (await reader.records(ids)).values()) chains.set(record.record_id, await ahead(record, reader))
  return chains
}

async function ahead(from: SeenRecord, reader: RecordReader): Promise<Set<RecordId>> {
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
