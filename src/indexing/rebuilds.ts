/**
 * Rebuilds of search indexes. Each is a document, so any process can request one, continue it after a crash, and drop
 * what it leaves behind: a half-filled index, and the index that it replaced.
 */

import type { WorkspaceId } from '../ids.ts'
import { firstIndex } from '../journal/checkpoint.ts'
import { type Clock, instant } from '../ports/clock.ts'
import type { Collection, Documents } from '../ports/documents.ts'

/**
 * asked: no worker has started. filling: a worker fills the index and sends heartbeats. live: it has replaced another
 * index, which readers may still use. done: that index is dropped. dropping: the rebuild's own index is being dropped.
 */
export type RebuildState = 'asked' | 'filling' | 'live' | 'done' | 'dropping'

export interface Rebuild {
  /** If the index belongs to one workspace, this is also its name. */
  id: string
  workspace: WorkspaceId
  /** The name of the index, if workspaces share it; null: the index belongs to this workspace. */
  into: string | null
  state: RebuildState
  asked_at: string
  /** The last heartbeat of its worker. */
  touched_at: string
  /** The name of the replaced index; null until just before the swap. */
  replaced: string | null
  /** Rows copied so far. */
  copied: number
}

export const rebuilds: Collection<Rebuild> = {
  name: 'rebuilds',
  fields: {
    id: 'string',
    workspace: 'string',
    into: 'string',
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
    ['into', 'state'],
  ],
}

/** The id is unique: two rebuilds must not fill the same index, unless workspaces share it. */
export function newRebuild(clock: Clock, workspace: WorkspaceId, into: string | null): Rebuild {
  const at = instant(clock)
  const id = `records-${clock.id()}`
  return { id, workspace, into, state: 'asked', asked_at: at, touched_at: at, replaced: null, copied: 0 }
}

/** The name of the index that the rebuild fills. */
export function indexOf({ id, into }: Pick<Rebuild, 'id' | 'into'>): string {
  return into ?? id
}

const sharedPrefix = 'shared-'
const generation = /-g(\d+)$/

/** The name of an index that all workspaces of a restored store share, or those that are rebuilt together. */
export function sharedIndex(id: string): string {
  return sharedPrefix + id
}

/**
 * The name of the index that replaces a lost shared one. Each worker computes the same name. One index per workspace
 * would need more shards than Elasticsearch allows. No name is ever reused, not even after a restore, which starts a
 * new epoch: the engine may still have the old index.
 */
export function nextShared(lost: string, epoch: string): string {
  if (lost === firstIndex) return sharedIndex(epoch)
  const number = Number(generation.exec(lost)?.[1] ?? 1)
  return `${lost.replace(generation, '')}-g${number + 1}`
}

/** Whether the index holds documents of several workspaces. */
export function isShared(index: string): boolean {
  return index === firstIndex || index.startsWith(sharedPrefix)
}

/** The running rebuild of the workspace, or else a requested one. */
export async function openRebuild(documents: Documents, workspace: WorkspaceId): Promise<Rebuild | undefined> {
  const open = await openRebuilds(documents, workspace)
  return open.find(({ state }) => state === 'filling') ?? open[0]
}

/** Requested and running rebuilds. */
export async function openRebuilds(documents: Documents, workspace: WorkspaceId): Promise<Rebuild[]> {
  const known = await documents.find(rebuilds, { where: { workspace }, sort: [['id', 'desc']], limit: 100 })
  return known.filter(({ state }) => state === 'asked' || state === 'filling')
}
