/** The records that references name: by their own id, or as a source of theirs (SEMANTICS 3). */
import type { Reads } from '../operation.ts'
import { type RecordId, uuidPattern } from '../records/ids.ts'
import { namedRecord } from '../records/named.ts'
import { chunks, type RecordReader, type SeenRecord } from '../records/read.ts'
import { type SourceKey, sourceKey, sourceKeyId, sourceKeys } from '../records/source-keys.ts'

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
 * In the order of the references; of one that is a source of many records the newest record first. Old and superseded
 * ones too; what isn't found is left out, and so is what was invalidated.
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
  for (let at = last.reference; at < targets.length; at++) {
    const begin = at === after?.reference ? after.record : null
    for await (const record of namedBy(at, begin, targets, reader, reads)) {
      if (found.some((one) => one.record_id === record.record_id)) continue
      if (found.length === limit) return { records: found, next: last }
      found.push(record)
      last = { reference: at, record: record.record_id }
    }
  }
  return { records: found, next: undefined }
}

const rowsAtOnce = 100
/** Rows that one query asks for by id. */
const mostRows = 1_000

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

/** The record itself, then those that have it as a source, after the record `begin`. */
async function* namedBy(
  at: number,
  begin: RecordId | null,
  targets: readonly Target[],
  reader: RecordReader,
  reads: Reads,
): AsyncGenerator<SeenRecord> {
  const { record, key } = targets[at] as Target
  const earlier = targets.slice(0, at)
  if (record && begin === null) yield* await unnamed([record], earlier, reader, reads)
  if (key === undefined) return
  // the record itself has no place among the others: it came before them all
  let before = begin === record?.record_id ? null : begin
  for (;;) {
    const keys = await keysBefore(before, key, reader, reads)
    const citing = await reader.records(keys.map((one) => one.record_id))
    const others = [...citing.values()].filter((one) => one !== record)
    yield* await unnamed(others, earlier, reader, reads)
    if (keys.length < rowsAtOnce) return
    before = keys.at(-1)?.record_id ?? null
  }
}

async function keysBefore(
  before: RecordId | null,
  key: string,
  reader: RecordReader,
  { documents }: Reads,
): Promise<SourceKey[]> {
  return documents.find(sourceKeys, {
    where: {
      workspace: reader.workspace,
      audience: { in: reader.audiences },
      key,
      ...(before === null ? {} : { record_id: { lt: before } }),
    },
    sort: [['record_id', 'desc']],
    limit: rowsAtOnce,
  })
}

/** Without those that an earlier reference names, for they were shown with it, and without what was invalidated. */
async function unnamed(
  records: readonly SeenRecord[],
  earlier: readonly Target[],
  reader: RecordReader,
  { documents }: Reads,
): Promise<SeenRecord[]> {
  const valid = records.filter((record) => record.invalidated_at === null)
  const keys = new Set(earlier.flatMap(({ key }) => key ?? []))
  const rows = valid.flatMap((record) => [...keys].map((key) => sourceKeyId(record.record_id, key)))
  const named = new Set(earlier.flatMap(({ record }) => record?.record_id ?? []))
  for (const some of chunks(rows, mostRows)) {
    for (const one of await documents.find(sourceKeys, { where: { id: { in: some } }, limit: some.length })) {
      if (one.workspace === reader.workspace) named.add(one.record_id)
    }
  }
  return valid.filter((record) => !named.has(record.record_id))
}

const kinds: ReadonlySet<string> = new Set(['memory', 'decision', 'question', 'task'])

function ownId({ type, id }: Reference): RecordId | undefined {
  return kinds.has(type) && uuidPattern.test(id) ? (id.toLowerCase() as RecordId) : undefined
}
