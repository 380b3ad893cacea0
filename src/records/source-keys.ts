/** Which records name a source: what search references that are not ids of records are looked up by (SEMANTICS 3). */
import { createHash } from 'node:crypto'
import type { RowChange } from '../journal/entry.ts'
import type { Collection, Documents } from '../ports/documents.ts'
import type { Audience, RecordId, WorkspaceId } from './ids.ts'
import { type PrecedentRecord, records } from './record.ts'

/** One for each record and each (type, id) among its sources; made by projection, and never changed. */
export interface SourceKey {
  /** `<record_id>/<key>`: projecting twice makes it once. */
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

type Sourced = Pick<PrecedentRecord, 'workspace' | 'record_id' | 'audience' | 'sources'>

/** Of the sources that have an id; the others can't be referred to. */
export function sourceKeysOf({ workspace, record_id, audience, sources }: Sourced): SourceKey[] {
  const keys = new Set(sources.flatMap(({ type, id }) => (id === undefined ? [] : [sourceKey(type, id)])))
  return [...keys].map((key) => ({ id: sourceKeyId(record_id, key), workspace, audience, key, record_id }))
}

/** A hash: type and id together may have 400 characters, too many for a key. */
export function sourceKey(type: string, id: string): string {
  return createHash('sha256')
    .update(JSON.stringify([type, id]))
    .digest('base64url')
}

export function sourceKeyId(recordId: RecordId, key: string): string {
  return `${recordId}/${key}`
}

/**
 * A step of projection: the keys of the sources of the entry's new rows, and of those that gained some. Read before the
 * entry's changes are written: what is read of a row never changes.
 */
export async function sourceKeysIn(documents: Documents, changes: readonly RowChange[]): Promise<SourceKey[]> {
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
