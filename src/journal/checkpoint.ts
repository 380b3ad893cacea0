/** Checkpoints: how far projections, the search index and comparing have come with the journal of each workspace. */
import type { WorkspaceId } from '../ids.ts'
import type { Collection, Documents } from '../ports/documents.ts'
import { pagesById } from '../ports/pages.ts'

/** How far the projections of a workspace have come. */
export interface Checkpoint {
  /** The workspace. */
  id: WorkspaceId
  /** Number and last sequence of the newest entry that is fully projected. */
  projected: number
  projected_seq: number
  /** The newest entry that the live search index shows. */
  indexed: number
  indexed_seq: number
  /** The name of the live search index. */
  live: string
  /** In which versions the live index shows everything up to `indexed` (shown-in.ts); null: not known. */
  shown_in: string | null
  /** The only rebuild that may replace the live index; null: no rebuild is running. */
  filling: string | null
}

export const checkpoints: Collection<Checkpoint> = {
  name: 'checkpoints',
  fields: {
    id: 'string',
    projected: 'integer',
    projected_seq: 'integer',
    indexed: 'integer',
    indexed_seq: 'integer',
    live: 'string',
    shown_in: 'string',
    filling: 'string',
  },
  unique: [],
  indexes: [['id'], ['live', 'id']],
}

export const firstIndex = 'records-1'

/** The checkpoint of the workspace. Created if missing. */
export async function checkpointOf(documents: Documents, workspace: WorkspaceId): Promise<Checkpoint> {
  const known = await documents.get(checkpoints, workspace)
  if (known) return known
  const nothing = { projected: 0, projected_seq: 0, indexed: 0, indexed_seq: 0 }
  const fresh = { id: workspace, ...nothing, live: firstIndex, shown_in: null, filling: null }
  await documents.insert(checkpoints, fresh)
  return (await documents.get(checkpoints, workspace)) ?? fresh
}

/**
 * Iterates over all workspaces with data: pages of `size` checkpoints, sorted by workspace. Each page is read when it is
 * needed, and is never empty.
 */
export function checkpointPages<Field extends keyof Checkpoint & string>(
  documents: Documents,
  size: number,
  fields: readonly Field[],
): AsyncGenerator<Pick<Checkpoint, Field | 'id'>[]> {
  return pagesById(documents, checkpoints, { limit: size, fields })
}

/** The claims that have been compared (SEMANTICS 6). Receipts do not wait for it. */
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

/** By workspace. Missing: nothing has been compared. */
export async function comparedIn(documents: Documents, workspaces: readonly WorkspaceId[]) {
  const where = { id: { in: workspaces } }
  const found = await documents.find(comparisons, { where, limit: workspaces.length })
  return new Map(found.map(({ id, compared }) => [id, compared]))
}

/** false: another worker advanced it first. */
export async function advanceCompared(documents: Documents, workspace: WorkspaceId, number: number): Promise<boolean> {
  if (number === 1) return documents.insert(comparisons, { id: workspace, compared: number })
  return documents.update(comparisons, workspace, { set: { compared: number } }, { compared: number - 1 })
}
