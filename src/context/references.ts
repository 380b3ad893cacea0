/** The records that references name: by their own id, or as a source of theirs (SEMANTICS 3). */
import type { Reads } from '../operation.ts'
import { inTurns } from '../ports/in-turns.ts'
import { type RecordId, uuidPattern } from '../records/ids.ts'
import { namedRecord } from '../records/named.ts'
import { chunks, type RecordReader, type SeenRecord } from '../records/read.ts'
import { sourceKey, sourceKeys } from '../records/source-keys.ts'
import { mostCiting } from './schema.ts'

export interface Reference {
  type: string
  id: string
}

/** The record shown last, and the reference that named it. */
export interface ReferencePosition {
  reference: number
  record: RecordId | null
}

/**
 * In the order of the references; of one that is a source of many records the newest 200, the newest first. Old and
 * superseded ones too; what isn't found is left out, and so is what was invalidated.
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

/** A page has at most 50 records: the rest of a long list is not read for it. */
const recordsAtOnce = 50

/** What a reference may lead to. */
interface Target {
  /** The record that it names itself. */
  record: SeenRecord | undefined
  /** By which records that have it as a source are found. */
  key: string | undefined
}

async function targetsOf(references: readonly Reference[], reader: RecordReader): Promise<Target[]> {
  const own = references.map((reference) => namedRecord(reference, reader.workspace) ?? ownId(reference))
  const records = await reader.records(own.flatMap((id) => id ?? []))
  return references.map((reference, at) => {
    const id = own[at]
    const record = id && records.get(id)
    return {
      record: record?.kind === reference.type ? record : undefined,
      // what cites a record that the actor can't see does not show that source: nor is it found by it
      key: namedRecord(reference, reader.workspace) && !record ? undefined : sourceKey(reference.type, reference.id),
    }
  })
}

/** Of each reference what it names and no earlier one does, from the position `after` on. */
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

/** What the pages before have not reached. The record itself comes first; the others by their ids, the newest first. */
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
  // newer records have pushed it out of the newest 200: the page goes on with older ones
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

const kinds: ReadonlySet<string> = new Set(['memory', 'decision', 'question', 'task'])

function ownId({ type, id }: Reference): RecordId | undefined {
  return kinds.has(type) && uuidPattern.test(id) ? (id.toLowerCase() as RecordId) : undefined
}
