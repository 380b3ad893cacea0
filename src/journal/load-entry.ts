/** Loads entries by number. New entries are cached: an entry never changes while a projection still needs it. */
import type { Documents } from '../ports/documents.ts'
import type { WorkspaceId } from '../records/ids.ts'
import type { Entry } from './entry.ts'
import { entryId, entryOf } from './head.ts'

/** Limits of the cache. They cover the entries that the index worker of this process has not read yet. */
const mostReceipts = 2000
const mostCharacters = 8 * 1024 * 1024
const kept = new WeakMap<Documents, Map<string, Entry>>()

/**
 * Called after a successful append, so that projection and index worker of this process need not read the entry back.
 */
export function cacheEntry(documents: Documents, entry: Entry): void {
  const entries = kept.get(documents) ?? new Map<string, Entry>()
  kept.set(documents, entries)
  entries.set(entry.id, entry)
  let receipts = 0
  let characters = 0
  // newest first: it is the next one to be read
  for (const [id, one] of [...entries].reverse()) {
    receipts += one.receipts.length
    characters += charactersIn(one)
    if (id !== entry.id && (receipts > mostReceipts || characters > mostCharacters)) entries.delete(id)
  }
}

function charactersIn({ records }: Entry): number {
  return records.reduce((sum, change) => sum + (change.type === 'new' ? change.row.text.length : 0), 0)
}

export async function loadEntry(
  documents: Documents,
  workspace: WorkspaceId,
  number: number,
): Promise<Entry | undefined> {
  return kept.get(documents)?.get(entryId(workspace, number)) ?? entryOf(documents, workspace, number)
}
