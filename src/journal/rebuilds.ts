/**
 * Rebuilds of search indexes, each a document, so that one is asked for in any process, goes on after a death, and what
 * it leaves behind is found: half an index, and the one that it replaced.
 */
import type { Collection, Documents } from '../ports/documents.ts'
import type { WorkspaceId } from '../records/ids.ts'
import { firstIndex } from './head.ts'

/**
 * asked: nobody has begun. filling: a worker fills the index, and says so again and again. live: it took the place of
 * another one, which readers may still be reading. done: that one is gone. dropping: it is being removed itself.
 */
export type RebuildState = 'asked' | 'filling' | 'live' | 'done' | 'dropping'

export interface Rebuild {
  /** Name of the index that is filled. */
  id: string
  workspace: WorkspaceId
  state: RebuildState
  asked_at: string
  /** When its worker was last heard of. */
  touched_at: string
  /** Name of the index that it replaced. */
  replaced: string | null
  /** Rows copied so far. */
  copied: number
}

export const rebuilds: Collection<Rebuild> = {
  name: 'rebuilds',
  fields: {
    id: 'string',
    workspace: 'string',
    state: 'string',
    asked_at: 'string',
    touched_at: 'string',
    replaced: 'string',
    copied: 'integer',
  },
  unique: [],
  indexes: [
    ['workspace', 'id'],
    ['state', 'id'],
  ],
}

/** A name of its own for each: two rebuilds at once must not fill one index. */
export function newRebuild(id: string, workspace: WorkspaceId, at: string, state: 'asked' | 'filling'): Rebuild {
  return { id: `records-${id}`, workspace, state, asked_at: at, touched_at: at, replaced: null, copied: 0 }
}

const sharedPrefix = 'shared-'

/** Name of an index for all workspaces of a restored store. */
export function sharedIndex(id: string): string {
  return sharedPrefix + id
}

/** Holds the documents of other workspaces too: never dropped because one of them left it. */
export function isShared(index: string): boolean {
  return index === firstIndex || index.startsWith(sharedPrefix)
}

/** The one that is asked for or under way, if there is one. */
export async function openRebuild(documents: Documents, workspace: WorkspaceId): Promise<Rebuild | undefined> {
  const known = await documents.find(rebuilds, { where: { workspace }, sort: [['id', 'desc']], limit: 100 })
  return known.find(({ state }) => state === 'asked' || state === 'filling')
}
