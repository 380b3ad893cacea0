/** Finds the records that references name, by the record's own id or by one of its sources (SEMANTICS 3). */

import { type RecordId, uuidPattern } from '../ids.ts'
import type { Reads } from '../operation.ts'
import { chunks } from '../ports/chunks.ts'
import { inTurns } from '../ports/in-turns.ts'
import { isKind } from '../records/kinds.ts'
import { namedRecord } from '../records/named.ts'
import { sourceKey, sourceKeys } from '../records/projections/source-keys.ts'
import type { RecordReader } from '../records/read/reader.ts'
import type { SeenRecord } from '../records/read/seen-record.ts'
import { mostCiting } from './schema.ts'

export interface Reference {
  type: string
  id: string
}

/** The last record of the page before, and the reference that named it. */
export interface ReferencePosition {
  reference: number
  record: RecordId | null
}

/**
 * In the order of the references. If a reference is a source of many records: the newest 200, newest first. Includes
 * superseded records, but not invalidated ones. References that name nothing are skipped.
 */
export async function referenced(
  references: readonly Reference[],
  { limit, after }: { limit: number; after: ReferencePosition | undefined },
  reader: RecordReader,
  reads: Reads,
): Promise<{ records: SeenRecord[]; next: ReferencePosition | undefined }> {
  const targets = await targetsOf(references, reader)
  const found: SeenRecord[] = []
  let last: ReferencePosition = after ?? { reference: 0, record: null }
  for await (const { reference, ids } of namedBy(targets, after, reader, reads)) {
    for (const some of chunks(ids, recordsAtOnce)) {
      for (const record of (await reader.records(some)).values()) {
        if (record.invalidated_at !== null) continue
        if (found.length === limit) return { records: found, next: last }
        found.push(record)
        last = { reference, record: record.record_id }
      }
    }
  }
  return { records: found, next: undefined }
}

/** Records of one read. A page has at most 50, so a longer list is not read whole. */
const recordsAtOnce = 50

/** The records that a reference may lead to. */
interface Target {
  /** The record whose id the reference gives. */
  record: SeenRecord | undefined
  /** The source key that finds records with this source. */
  key: string | undefined
}

/** With the decision of each outcome instead of the outcome. */
async function withDecisions(found: Map<RecordId, SeenRecord>, reader: RecordReader) {
  const outcomes = [...found.values()].filter(({ kind }) => kind === 'outcome').map(({ id }) => id)
  for (const [id, row] of await reader.rows(outcomes, ['kind', 'body'])) {
    if (row.kind !== 'outcome') continue
    const { decision } = row.body
    const seen = (await reader.records([decision])).get(decision)
    if (seen) found.set(id as RecordId, seen)
  }
  return found
}

async function targetsOf(references: readonly Reference[], reader: RecordReader): Promise<Target[]> {
  const own = references.map((reference) => namedRecord(reference, reader.workspace) ?? ownId(reference))
  const records = await withDecisions(await reader.records(own.flatMap((id) => id ?? [])), reader)
  return references.map((reference, at) => {
    const id = own[at]
    const record = id && records.get(id)
    return {
      record: reference.type === 'outcome' || record?.kind === reference.type ? record : undefined,
      // a hidden record is not shown as a source, so it must not find the records that cite it
      key: namedRecord(reference, reader.workspace) && !record ? undefined : sourceKey(reference.type, reference.id),
    }
  })
}

/** For each reference the ids that no earlier reference names, beginning at `after`. */
async function* namedBy(
  targets: readonly Target[],
  after: ReferencePosition | undefined,
  reader: RecordReader,
  reads: Reads,
): AsyncGenerator<{ reference: number; ids: RecordId[] }> {
  const turn = inTurns()
  const named = new Set<RecordId>()
  for (const [reference, { record, key }] of targets.entries()) {
    const citing = key === undefined ? [] : await citingRecords(key, reader, reads)
    const own = record ? [record.record_id] : []
    const ids = [...new Set([...own, ...citing])]
    await turn()
    const fresh = restOf(ids, own, reference, after).filter((id) => !named.has(id))
    for (const id of ids) named.add(id)
    if (fresh.length > 0) yield { reference, ids: fresh }
  }
}

/** The ids that earlier pages have not shown. The record itself comes first, then the others by descending id. */
function restOf(
  ids: RecordId[],
  own: readonly RecordId[],
  reference: number,
  after: ReferencePosition | undefined,
): RecordId[] {
  if (after === undefined || reference > after.reference) return ids
  if (reference < after.reference) return []
  const { record } = after
  if (record === null) return ids
  const at = ids.indexOf(record)
  if (at >= 0) return ids.slice(at + 1)
  // newer records have pushed it out of the newest 200: continue with older ids
  return ids.filter((id) => id < record && !own.includes(id))
}

async function citingRecords(key: string, reader: RecordReader, { documents }: Reads): Promise<RecordId[]> {
  const found = await documents.find(sourceKeys, {
    where: { workspace: reader.workspace, audience: { in: reader.audiences }, key },
    sort: [['record_id', 'desc']],
    limit: mostCiting,
    fields: ['record_id'],
  })
  return found.map(({ record_id }) => record_id)
}

function ownId({ type, id }: Reference): RecordId | undefined {
  return isKind(type) && uuidPattern.test(id) ? (id.toLowerCase() as RecordId) : undefined
}
