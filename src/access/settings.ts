/** Settings that belong to the store itself, each one document with a fixed id: made once, whoever comes first. */
import type { Collection, Documents } from '../ports/documents.ts'

export interface Setting {
  id: string
  /** Counts its changes, so that of two who change it one starts over. */
  version: number
  value: unknown
}

export const settings: Collection<Setting> = {
  name: 'settings',
  fields: { id: 'string', version: 'integer', value: 'json' },
  unique: [],
  indexes: [['id']],
}

/** The setting; where it is missing it is made, and of several who make it at once the first one's value holds. */
export async function settingOf<T>(documents: Documents, id: string, make: () => T): Promise<T> {
  const known = await documents.get(settings, id)
  if (known) return known.value as T
  const value = make()
  if (await documents.insert(settings, { id, version: 1, value })) return value
  const first = await documents.get(settings, id)
  return first ? (first.value as T) : settingOf(documents, id, make)
}

/** Identity of this store's feed: sync cursors of another one start over (PROTOCOL 5). */
export function feedEpoch(documents: Documents, newId: () => string): Promise<string> {
  return settingOf(documents, 'feed_epoch', newId)
}
