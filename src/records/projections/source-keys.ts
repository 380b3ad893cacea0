/** Index of the records that name a source, for search references that are not ids of records (SEMANTICS 3). */
import { createHash } from 'node:crypto'
import type { Audience, RecordId, WorkspaceId } from '../../ids.ts'
import type { Collection, Documents } from '../../ports/documents.ts'
import type { Bodied, OutcomeBody } from '../body.ts'
import type { RowChange } from '../record.ts'
import { type PrecedentRecord, records } from '../record.ts'
import { defineProjection } from './projection.ts'

/** One for each record and each (type, id) among its sources. Projection inserts it and never changes it. */
export interface SourceKey {
  /** `<record_id>/<key>`, so that projecting twice inserts it once. */
  id: string
  workspace: WorkspaceId
  audience: Audience
  key: string
  record_id: RecordId
}

export const sourceKeys: Collection<SourceKey> = {
  name: 'source_keys',
  fields: { id: 'string', workspace: 'interned', audience: 'interned', key: 'string', record_id: 'string' },
  unique: [],
  indexes: [['workspace', 'audience', 'key', 'record_id']],
}

type Sourced = Pick<PrecedentRecord, 'workspace' | 'record_id' | 'audience' | 'sources'> & Partial<Bodied>

/** Only for sources that have an id: references need one. The source of an outcome finds its decision. */
export function sourceKeysOf({ workspace, audience, sources, ...row }: Sourced): SourceKey[] {
  const { record_id } = row.kind === 'outcome' ? { record_id: (row.body as OutcomeBody).decision } : row
  const keys = new Set(sources.flatMap(({ type, id }) => (id === undefined ? [] : [sourceKey(type, id)])))
  return [...keys].map((key) => ({ id: sourceKeyId(record_id, key), workspace, audience, key, record_id }))
}

/** A hash, because type and id together may have 400 characters, too many for an index key. */
export function sourceKey(type: string, id: string): string {
  return createHash('sha256')
    .update(JSON.stringify([type, id]))
    .digest('base64url')
}

export function sourceKeyId(recordId: RecordId, key: string): string {
  return `${recordId}/${key}`
}

/** The source keys of new rows and of rows that gained sources. The fields that it reads of a row never change. */
export const projectSourceKeys = defineProjection({
  writes: [sourceKeys],
  read: (documents, entry) => sourceKeysIn(documents, entry.records),
  write(writes, _, { read: keys }) {
    if (keys.length > 0) writes.insertMany(sourceKeys, keys)
  },
})

async function sourceKeysIn(documents: Pick<Documents, 'find'>, changes: readonly RowChange[]): Promise<SourceKey[]> {
  const rows = new Map(
    changes.flatMap((change) => (change.type === 'new' ? [[change.row.id, change.row] as const] : [])),
  )
  const gained = new Map(
    changes.flatMap(({ type, ...change }) =>
      type === 'changed' && 'set' in change && change.set.sources ? [[change.id, change.set.sources] as const] : [],
    ),
  )
  const elsewhere = [...gained.keys()].filter((id) => !rows.has(id))
  const found =
    elsewhere.length === 0
      ? []
      : await documents.find(records, {
          where: { id: { in: elsewhere } },
          limit: elsewhere.length,
          fields: ['id', 'workspace', 'record_id', 'audience'],
        })
  const changed = [...gained].flatMap(([id, sources]) => {
    const row = rows.get(id) ?? found.find((one) => one.id === id)
    return row ? [{ ...row, sources }] : []
  })
  return [...new Map([...rows.values(), ...changed].flatMap(sourceKeysOf).map((key) => [key.id, key])).values()]
}
