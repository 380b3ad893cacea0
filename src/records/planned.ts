/**
 * Supersessions that are dated ahead are committed when their time has come (take-effect.ts). Who asks what will be in
 * force at an instant still to come is answered by them before that.
 */
import { links } from '../journal/entry.ts'
import type { Documents } from '../ports/documents.ts'
import type { RecordId } from './ids.ts'
import { chunks, type RecordReader, type SeenRecord } from './read.ts'

const targetsAtOnce = 200
/** Bounds what one look-up brings: a record has few that wait for their instant. */
const mostLinks = 2_000
/** Bounds the chain that is followed from one successor. */
const longestChain = 200

/** Those of these ids that will be superseded at `at`, by what the actor sees; none of them where `at` has come. */
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
  // one whose target has superseded it meanwhile will have no effect
  const kept = due.filter(({ successor, target }) => chains.get(successor)?.has(target) === false)
  return new Set(kept.map(({ target }) => target))
}

/** Of each of these that the actor sees: what supersedes it, directly or over others. */
async function chainsAhead(ids: ReadonlySet<RecordId>, reader: RecordReader): Promise<Map<RecordId, Set<RecordId>>> {
  const chains = new Map<RecordId, Set<RecordId>>()
  // reads whole chains level by level, so that what follows asks the store for nothing
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
