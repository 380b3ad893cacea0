/** The head of a journal, and its entries. */
import type { Documents } from '../ports/documents.ts'
import type { WorkspaceId } from '../records/ids.ts'
import { type Checkpoint, checkpoints, type Entry, entries } from './entry.ts'

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

export function entryId(workspace: WorkspaceId, number: number): string {
  return `${workspace}/${number}`
}

export async function entryOf(
  documents: Documents,
  workspace: WorkspaceId,
  number: number,
): Promise<Entry | undefined> {
  return documents.get(entries, entryId(workspace, number))
}

export const firstIndex = 'records-1'

/** The checkpoint of the workspace. Created if missing. */
export async function checkpointOf(documents: Documents, workspace: WorkspaceId): Promise<Checkpoint> {
  const known = await documents.get(checkpoints, workspace)
  if (known) return known
  const nothing = { projected: 0, projected_seq: 0, indexed: 0, indexed_seq: 0 }
  const fresh = { id: workspace, ...nothing, live: firstIndex, filling: null }
  await documents.insert(checkpoints, fresh)
  return (await documents.get(checkpoints, workspace)) ?? fresh
}
