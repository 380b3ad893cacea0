/** Settings of the store. Each is one document with a fixed id, created once. */
import type { Collection, Documents } from '../ports/documents.ts'

export interface Setting {
  id: string
  /** Counts the changes, so that of two concurrent changes one fails and starts over. */
  version: number
  value: unknown
}

export const settings: Collection<Setting> = {
  name: 'settings',
  fields: { id: 'string', version: 'integer', value: 'json' },
  unique: [],
  indexes: [['id']],
}

/** Reads a setting, or creates it. If several processes create it at once, the first value wins. */
export async function settingOf<T>(documents: Documents, id: string, make: () => T): Promise<T> {
  const known = await documents.get(settings, id)
  if (known) return known.value as T
  const value = make()
  if (await documents.insert(settings, { id, version: 1, value })) return value
  const first = await documents.get(settings, id)
  return first ? (first.value as T) : settingOf(documents, id, make)
}

/** Identifies this store's feed. A sync cursor of another feed starts over (PROTOCOL 5). */
export function feedEpoch(documents: Documents, newId: () => string): Promise<string> {
  return settingOf(documents, 'feed_epoch', newId)
}
