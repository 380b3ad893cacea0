/** A checkpoint of the claims that have been compared in each workspace (SEMANTICS 6). Receipts do not wait for it. */
import type { Collection, Documents } from '../ports/documents.ts'
import type { WorkspaceId } from '../records/ids.ts'

export interface Comparison {
  /** The workspace. */
  id: WorkspaceId
  /** The number of the newest entry whose claims have been compared. */
  compared: number
}

export const comparisons: Collection<Comparison> = {
  name: 'comparisons',
  fields: { id: 'string', compared: 'integer' },
  unique: [],
  indexes: [['id']],
}

export async function comparedOf(documents: Documents, workspace: WorkspaceId): Promise<number> {
  return (await documents.get(comparisons, workspace))?.compared ?? 0
}

/** false: another worker advanced it first. */
export async function advanceCompared(documents: Documents, workspace: WorkspaceId, number: number): Promise<boolean> {
  if (number === 1) return documents.insert(comparisons, { id: workspace, compared: number })
  return documents.update(comparisons, workspace, { set: { compared: number } }, { compared: number - 1 })
}
