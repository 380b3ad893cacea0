/** Reads the journal: its head, and its entries by number. */

import { LRUCache } from 'lru-cache'
import type { WorkspaceId } from '../ids.ts'
import type { Documents } from '../ports/documents.ts'
import { type Entry, entries, entryId } from './entry.ts'

export interface Head {
  number: number
  last_seq: number
}

/** The newest entry, without its content; number 0 and sequence 0 if the journal is empty. */
export async function headOf(documents: Documents, workspace: WorkspaceId): Promise<Head> {
  const [newest] = await documents.find(entries, {
    where: { workspace },
    sort: [['number', 'desc']],
    limit: 1,
    fields: ['number', 'last_seq'],
  })
  return newest ?? { number: 0, last_seq: 0 }
}

export async function entryOf(
  documents: Documents,
  workspace: WorkspaceId,
  number: number,
): Promise<Entry | undefined> {
  return documents.get(entries, entryId(workspace, number))
}

/** New entries are cached: an entry never changes while a projection still needs it. */
export async function loadEntry(
  documents: Documents,
  workspace: WorkspaceId,
  number: number,
): Promise<Entry | undefined> {
  // peek, because reading an entry must not keep it in the cache longer than unread ones
  return kept.get(documents)?.peek(entryId(workspace, number)) ?? entryOf(documents, workspace, number)
}

/** Characters of texts. They cover the entries that the index worker of this process has not read yet. */
const mostCharacters = 8 * 1024 * 1024
/** A receipt and its changes take as much memory as a text of this many characters. */
const charactersOfReceipt = 4 * 1024
const kept = new WeakMap<Documents, LRUCache<string, Entry>>()

/**
 * Called after a successful append, so that projection and index worker of this process need not read the entry back.
 */
export function cacheEntry(documents: Documents, entry: Entry): void {
  const entries = kept.get(documents) ?? new LRUCache({ maxSize: mostCharacters, sizeCalculation: charactersIn })
  kept.set(documents, entries)
  entries.set(entry.id, entry)
}

function charactersIn({ receipts, records }: Entry): number {
  const texts = records.reduce((sum, change) => sum + (change.type === 'new' ? change.row.text.length : 0), 0)
  return 1 + texts + receipts.length * charactersOfReceipt
}
