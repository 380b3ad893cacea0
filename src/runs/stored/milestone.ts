/** Milestones: the steps of a run that its watchers see. A worker stores them in batches. */
import { isDeepStrictEqual } from 'node:util'
import type { Audience, RecordId, WorkspaceId } from '../../ids.ts'
import type { Collection, Documents } from '../../ports/documents.ts'

/** Never changes. Two workers can't store the same numbers, because the id is made of the run and the first number. */
export interface MilestoneBatch {
  /** milestoneBatchId */
  id: string
  workspace: WorkspaceId
  /** That of the run. */
  audience: Audience
  run: RecordId
  /** The number of the first item; the next ones follow without a gap. The batch after it begins at first + items.length. */
  first: number
  fence: number
  /** Empty: no batch follows, because the run has ended. */
  items: Milestone[]
  at: string
}

export interface Milestone {
  at: string
  type: MilestoneType
  title: string
  text?: string
  data?: Record<string, unknown>
  session_id: string
}

/** milestone: as the executor printed it. session: a session has started or ended. */
export type MilestoneType = 'milestone' | 'session'

/** `first` has a fixed width, so that ids sort as numbers do. */
export function milestoneBatchId(run: RecordId, first: number): string {
  return `${run}/${String(first).padStart(8, '0')}`
}

export const milestones: Collection<MilestoneBatch> = {
  name: 'milestones',
  fields: {
    id: 'string',
    workspace: 'interned',
    audience: 'interned',
    run: 'string',
    first: 'integer',
    fence: 'integer',
    items: 'json',
    at: 'instant',
  },
  unique: [],
  indexes: [['workspace', 'run', 'first']],
}

/** The run that milestones belong to. */
export type RunOfMilestones = Pick<MilestoneBatch, 'workspace' | 'audience' | 'run'>

/**
 * Stores a batch at `first`, or after what other sessions have stored since. Returns the number after its last item.
 * 'closed': the run has ended, and nothing was stored. After an error, call it again with the same arguments: a batch
 * whose answer was lost is recognized.
 */
export async function appendMilestones(
  documents: Documents,
  batch: Omit<MilestoneBatch, 'id' | 'first'>,
  first: number,
): Promise<number | 'closed'> {
  const { run, fence, items } = batch
  for (let at = first; ; ) {
    const id = milestoneBatchId(run, at)
    if (await documents.insert(milestones, { ...batch, id, first: at })) return at + items.length
    const there = await documents.get(milestones, id, ['fence', 'items'])
    if (there?.fence === fence && isDeepStrictEqual(there.items, items)) return at + items.length
    const next = await nextMilestone(documents, batch)
    if (next === 'closed') return next
    at = next
  }
}

/** The number of the next milestone of the run. */
export async function nextMilestone(documents: Documents, { workspace, run }: RunOfMilestones) {
  const [last] = await documents.find(milestones, {
    where: { workspace, run },
    sort: [['first', 'desc']],
    limit: 1,
    fields: ['first', 'items'],
  })
  if (last === undefined) return 1
  return last.items.length === 0 ? 'closed' : last.first + last.items.length
}

/** Stores the empty batch that no other can follow. The run must have ended. May be called again. */
export async function closeMilestones(
  documents: Documents,
  run: RunOfMilestones,
  { fence, at }: Pick<MilestoneBatch, 'fence' | 'at'>,
): Promise<void> {
  const next = await nextMilestone(documents, run)
  if (next !== 'closed') await appendMilestones(documents, { ...run, fence, items: [], at }, next)
}
