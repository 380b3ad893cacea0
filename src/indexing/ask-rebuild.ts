/** Rebuild requests of admins: for their own workspace, or for all workspaces if they are admins of the first one. */
import { z } from 'zod'
import { type Actor, requireScope } from '../access/actor.ts'
import { firstWorkspace, workspaces } from '../access/workspaces.ts'
import type { WorkspaceId } from '../ids.ts'
import { type Checkpoint, checkpoints } from '../journal/checkpoint.ts'
import type { Clock } from '../ports/clock.ts'
import type { Documents } from '../ports/documents.ts'
import { problem } from '../problem.ts'
import { validated } from '../validation/validated.ts'
import { indexOf, isShared, newRebuild, openRebuild, type Rebuild, rebuilds, sharedIndex } from './rebuilds.ts'

export const rebuildRequest = z.strictObject({
  workspace: z
    .uuid()
    .transform((id) => id.toLowerCase())
    .optional()
    .describe('Left out: the own one; of admins of the first workspace all.'),
})

export const rebuildResponse = z.strictObject({
  index: z.string(),
  workspace: z.string(),
  state: z.enum(['asked', 'filling', 'live', 'done', 'dropping']),
  asked_at: z.iso.datetime(),
  copied: z.int().min(0).describe('Records copied so far.'),
})
export type RebuildResponse = z.infer<typeof rebuildResponse>

export interface Rebuilds {
  /**
   * Throws insufficient_scope, invalid_request or not_found. A rebuild that is already requested or running is
   * returned.
   */
  ask(by: Actor, request: unknown): Promise<RebuildResponse[]>
  /** Rebuilds of the last day, newest first. */
  list(by: Actor): Promise<RebuildResponse[]>
}

/** The most workspaces in one request, and the most rebuilds in one list. */
const most = 10_000
const states = ['asked', 'filling', 'live', 'done', 'dropping'] as const

export function rebuildsIn(documents: Documents, clock: Clock): Rebuilds {
  return {
    async ask(by, request) {
      requireScope(by, 'admin')
      const { workspace } = validated(rebuildRequest, request)
      const asked: RebuildResponse[] = []
      const wanted = await workspacesFor(documents, by, workspace)
      // workspaces that share an index share the new one too: an engine can't have an index for each of many workspaces
      const together = sharedIndex(clock.id())
      const alone = workspace !== undefined || wanted.length === 1
      for (const { id, live } of wanted) {
        const known = await openRebuild(documents, id)
        const made = known ?? newRebuild(clock, id, alone || !isShared(live) ? null : together)
        if (!known) await documents.insert(rebuilds, made)
        asked.push(responseOf(made))
      }
      return asked
    },

    async list(by) {
      requireScope(by, 'admin')
      const where = by.workspace === firstWorkspace ? { state: { in: states } } : { workspace: by.workspace }
      const found = await documents.find(rebuilds, { where, sort: [['id', 'desc']], limit: most })
      return found.map(responseOf)
    },
  }
}

type Wanted = Pick<Checkpoint, 'id' | 'live'>

/** Only workspaces that have data. */
async function workspacesFor(documents: Documents, by: Actor, wanted: string | undefined): Promise<Wanted[]> {
  const rules = by.workspace === firstWorkspace
  if (wanted === undefined && rules) {
    return documents.find(checkpoints, {
      where: { id: { gt: '' } },
      sort: [['id', 'asc']],
      limit: most,
      fields: ['id', 'live'],
    })
  }
  const id = (wanted ?? by.workspace) as WorkspaceId
  const seen = id === by.workspace || (rules && (await documents.get(workspaces, id, ['id'])) !== undefined)
  if (!seen) throw problem('not_found', 'There is no workspace with this id whose index you can rebuild.')
  const found = await documents.get(checkpoints, id, ['id', 'live'])
  return found ? [found] : []
}

function responseOf(rebuild: Rebuild): RebuildResponse {
  const { workspace, state, asked_at, copied } = rebuild
  return { index: indexOf(rebuild), workspace, state, asked_at, copied }
}
