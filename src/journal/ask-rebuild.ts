/** Rebuilds as admins ask for them: of the own workspace, or of all by those who run the service. */
import { z } from 'zod'
import type { Actor } from '../access/actor.ts'
import { requireScope } from '../access/scope.ts'
import { firstWorkspace, workspaces } from '../access/workspaces.ts'
import type { Clock } from '../ports/clock.ts'
import type { Documents } from '../ports/documents.ts'
import { problem } from '../problem.ts'
import type { WorkspaceId } from '../records/ids.ts'
import { validated } from '../records/validated.ts'
import { type Checkpoint, checkpoints } from './entry.ts'
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
  /** Throws insufficient_scope, invalid_request, not_found. One that is asked for or under way is not asked for again. */
  ask(by: Actor, request: unknown): Promise<RebuildResponse[]>
  /** Those of a day, newest first. */
  list(by: Actor): Promise<RebuildResponse[]>
}

/** Workspaces whose rebuild is asked for by one call, and rebuilds shown by one. */
const most = 10_000
const states = ['asked', 'filling', 'live', 'done', 'dropping'] as const

export function rebuildsIn(documents: Documents, clock: Clock): Rebuilds {
  return {
    async ask(by, request) {
      requireScope(by, 'admin')
      const { workspace } = validated(rebuildRequest, request)
      const asked: RebuildResponse[] = []
      const wanted = await workspacesFor(documents, by, workspace)
      // those that share one share the new one too: an engine takes no more than so many
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

/** Only those in which something was written. */
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
