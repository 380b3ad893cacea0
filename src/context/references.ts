/** The records that references name: by their own id, or as a source of theirs (SEMANTICS 3). */
import type { Reads } from '../operation.ts'
import { type RecordId, uuidPattern } from '../records/ids.ts'
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
  // those that are records, in one go
  await reader.records(references.flatMap((reference) => ownId(reference) ?? []))
  const found: SeenRecord[] = []
  let last: ReferencePosition = after ?? { reference: 0, record: null }
  for (let at = last.reference; at < references.length; at++) {
    const begin = at === after?.reference ? after.record : null
    for await (const record of namedBy(at, begin, references, reader, reads)) {
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

/** The record itself, then those that have it as a source, after the record `begin`. */
async function* namedBy(
  at: number,
  begin: RecordId | null,
  references: readonly Reference[],
  reader: RecordReader,
  reads: Reads,
): AsyncGenerator<SeenRecord> {
  const reference = references[at] as Reference
  const own = ownId(reference)
  const record = own && (await reader.records([own])).get(own)
  const itself = record?.kind === reference.type ? record : undefined
  if (itself && begin === null) yield* await unnamed([itself], references.slice(0, at), reader, reads)
  // the record itself has no place among the others: it came before them all
  let before = itself && begin === itself.record_id ? null : begin
  for (;;) {
    const keys = await keysBefore(before, sourceKey(reference.type, reference.id), reader, reads)
    const records = await reader.records(keys.map((one) => one.record_id))
    const others = [...records.values()].filter((one) => one !== itself)
    yield* await unnamed(others, references.slice(0, at), reader, reads)
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
  earlier: readonly Reference[],
  reader: RecordReader,
  { documents }: Reads,
): Promise<SeenRecord[]> {
  const valid = records.filter((record) => record.invalidated_at === null)
  if (earlier.length === 0 || valid.length === 0) return valid
  const keys = new Set(earlier.map(({ type, id }) => sourceKey(type, id)))
  const rows = valid.flatMap((record) => [...keys].map((key) => sourceKeyId(record.record_id, key)))
  const named = new Set<RecordId>()
  for (const some of chunks(rows, mostRows)) {
    for (const one of await documents.find(sourceKeys, { where: { id: { in: some } }, limit: some.length })) {
      if (one.workspace === reader.workspace) named.add(one.record_id)
    }
  }
  const isItself = (record: SeenRecord) =>
    earlier.some((reference) => reference.type === record.kind && ownId(reference) === record.record_id)
  return valid.filter((record) => !named.has(record.record_id) && !isItself(record))
}

const kinds: ReadonlySet<string> = new Set(['memory', 'decision', 'question', 'task'])

function ownId({ type, id }: Reference): RecordId | undefined {
  return kinds.has(type) && uuidPattern.test(id) ? (id.toLowerCase() as RecordId) : undefined
}
