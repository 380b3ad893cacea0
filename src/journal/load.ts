/** Entries by number. Entries never change while a projection still needs them, so those just made are kept in memory. */
import type { Documents } from '../ports/documents.ts'
import type { WorkspaceId } from '../records/ids.ts'
import type { Entry } from './entry.ts'
import { entryId, entryOf } from './head.ts'

/** Receipts of the entries that are kept: enough for what the index worker of the same process has not read yet. */
const mostKept = 2000
const kept = new WeakMap<Documents, Map<string, Entry>>()

/** After a successful append, so that projection and index worker of this process need not read it back. */
export function keepEntry(documents: Documents, entry: Entry): void {
  const entries = kept.get(documents) ?? new Map<string, Entry>()
  kept.set(documents, entries)
  entries.set(entry.id, entry)
  let receipts = 0
  for (const one of entries.values()) receipts += one.receipts.length
  for (const [id, oldest] of entries) {
    if (receipts <= mostKept || id === entry.id) break
    entries.delete(id)
    receipts -= oldest.receipts.length
  }
}

export async function loadEntry(
  documents: Documents,
  workspace: WorkspaceId,
  number: number,
): Promise<Entry | undefined> {
  return kept.get(documents)?.get(entryId(workspace, number)) ?? entryOf(documents, workspace, number)
}
