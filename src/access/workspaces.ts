/** Workspaces are the tenants. */

import { LRUCache } from 'lru-cache'
import type { WorkspaceId } from '../ids.ts'
import type { Collection, Documents } from '../ports/documents.ts'
import type { WorkspaceType } from './actor.ts'

export interface Workspace {
  id: WorkspaceId
  name: string
  type: WorkspaceType
  created_at: string
}

export const workspaces: Collection<Workspace> = {
  name: 'workspaces',
  fields: { id: 'string', name: 'string', type: 'string', created_at: 'string' },
  unique: [],
  indexes: [['id']],
}

/**
 * The workspace created at the first start. Its admins run the service: only they can create keys for other workspaces.
 */
export const firstWorkspace = '00000000-0000-7000-8000-000000000001' as WorkspaceId

/** The most workspaces cached in one process. */
const mostRemembered = 10_000

/** Reads workspaces and caches the fields, which never change. undefined: no workspace has this id. */
export function workspaceReader(documents: Documents): (id: WorkspaceId) => Promise<Workspace | undefined> {
  const known = new LRUCache<WorkspaceId, Workspace>({ max: mostRemembered })
  return async (id) => {
    const remembered = known.get(id)
    if (remembered) return remembered
    const found = await documents.get(workspaces, id)
    if (!found) return undefined
    known.set(id, found)
    return found
  }
}
