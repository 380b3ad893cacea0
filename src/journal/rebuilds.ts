/**
 * Rebuilds of search indexes, each a document, so that one is asked for in any process, goes on after a death, and what
 * it leaves behind is found: half an index, and the one that it replaced.
 */
import { type Clock, instant } from '../ports/clock.ts'
import type { Collection, Documents } from '../ports/documents.ts'
import type { WorkspaceId } from '../records/ids.ts'
import { firstIndex } from './head.ts'

/**
 * asked: nobody has begun. filling: a worker fills the index, and says so again and again. live: it took the place of
 * another one, which readers may still be reading. done: that one is gone. dropping: it is being removed itself.
 */
export type RebuildState = 'asked' | 'filling' | 'live' | 'done' | 'dropping'

export interface Rebuild {
  /** Also the name of the index that is filled, where it is the workspace's own. */
  id: string
  workspace: WorkspaceId
  /** Name of the index that is filled, where workspaces share it; null: it is the workspace's own. */
  into: string | null
  state: RebuildState
  asked_at: string
  /** When its worker was last heard of. */
  touched_at: string
  /** Name of the index that it replaces; null until it is about to. */
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

/** Of a name of its own: two rebuilds at once must not fill one index, unless it is one that workspaces share. */
export function newRebuild(clock: Clock, workspace: WorkspaceId, into: string | null): Rebuild {
  const at = instant(clock)
  const id = `records-${clock.id()}`
  return { id, workspace, into, state: 'asked', asked_at: at, touched_at: at, replaced: null, copied: 0 }
}

/** Name of the index that it fills. */
export function indexOf({ id, into }: Pick<Rebuild, 'id' | 'into'>): string {
  return into ?? id
}

const sharedPrefix = 'shared-'
const generation = /-g(\d+)$/

/** Name of an index for all workspaces of a restored store, or of those that are rebuilt together. */
export function sharedIndex(id: string): string {
  return sharedPrefix + id
}

/**
 * Name of the index for all whose shared one was lost: each worker finds it by itself. An index of their own for each
 * would be more shards than an Elasticsearch takes. No workspace comes back to a name that it had, nor to one of the
 * store before, whose indexes an engine may still hold: its feed was another.
 */
export function nextShared(lost: string, epoch: string): string {
  if (lost === firstIndex) return sharedIndex(epoch)
  const number = Number(generation.exec(lost)?.[1] ?? 1)
  return `${lost.replace(generation, '')}-g${number + 1}`
}

/** Holds the documents of other workspaces too. */
export function isShared(index: string): boolean {
  return index === firstIndex || index.startsWith(sharedPrefix)
}

/** The one that is under way, or else asked for, if there is one. */
export async function openRebuild(documents: Documents, workspace: WorkspaceId): Promise<Rebuild | undefined> {
  const open = await openRebuilds(documents, workspace)
  return open.find(({ state }) => state === 'filling') ?? open[0]
}

/** Those that are asked for or under way. */
export async function openRebuilds(documents: Documents, workspace: WorkspaceId): Promise<Rebuild[]> {
  const known = await documents.find(rebuilds, { where: { workspace }, sort: [['id', 'desc']], limit: 100 })
  return known.filter(({ state }) => state === 'asked' || state === 'filling')
}
