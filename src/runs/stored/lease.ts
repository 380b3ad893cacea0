/**
 * The lease of a run: who may have a session of it, under which fence (V2 4.4). It is changed by conditional updates
 * alone, never by entries. Projection makes it with the run.
 */
import type { RecordId, WorkspaceId } from '../../ids.ts'
import type { Collection, Documents } from '../../ports/documents.ts'

export interface Lease {
  /** The run. */
  id: RecordId
  workspace: WorkspaceId
  /** Of the newest session. It only grows. */
  fence: number
  /** Counts the renewals of one holder. */
  beat: number
  /** The start of a worker process; null: free. */
  holder: string | null
  /** 1 until the run has ended, its milestones are closed and nobody holds it. Then no session can follow. */
  open: number
}

export const leases: Collection<Lease> = {
  name: 'leases',
  fields: { id: 'string', workspace: 'interned', fence: 'integer', beat: 'integer', holder: 'string', open: 'integer' },
  unique: [],
  // maintain looks at all open ones
  indexes: [['open', 'id']],
}

/** What the holder of a lease needs to change it. */
export interface Held {
  id: RecordId
  fence: number
  holder: string
}

/** false: somebody holds it, another fence has come, or no session may follow. After an error: see isHeld. */
export function takeLease(documents: Documents, free: Pick<Lease, 'id' | 'fence'>, holder: string): Promise<boolean> {
  const taken = { holder, fence: free.fence + 1, beat: 0 }
  return documents.update(leases, free.id, { set: taken }, { holder: null, fence: free.fence, open: 1 })
}

/** Whether a take whose answer was lost has succeeded: each start of a process is a holder of its own. */
export async function isHeld(documents: Documents, { id, fence, holder }: Held): Promise<boolean> {
  return (await documents.get(leases, id, ['id'], { fence, holder })) !== undefined
}

/** false: the lease is lost. */
export function renewLease(documents: Documents, { id, fence, holder }: Held): Promise<boolean> {
  return documents.update(leases, id, { inc: { beat: 1 } }, { fence, holder })
}

/** Lets another session follow. Nothing of this one may be left. */
export function releaseLease(documents: Documents, { id, fence, holder }: Held): Promise<boolean> {
  return documents.update(leases, id, { set: { holder: null } }, { fence, holder })
}

/**
 * Takes the lease from its holder, so that the session is believed no more. `run.lost` with the new fence must follow.
 * Maintain names the beat that it has seen for too long; a worker that gives up its own lease does not.
 */
export function loseLease(
  documents: Documents,
  seen: Pick<Lease, 'id' | 'fence' | 'holder'> & { beat?: number },
): Promise<boolean> {
  const { id, ...condition } = seen
  return documents.update(leases, id, { set: { holder: null, fence: seen.fence + 1 } }, condition)
}

/** The run has ended and its milestones are closed. Holder null: maintain closes the lease of a run that no session holds. */
export function closeLease(
  documents: Documents,
  { id, fence, holder }: Pick<Lease, 'id' | 'fence' | 'holder'>,
): Promise<boolean> {
  return documents.update(leases, id, { set: { open: 0, holder: null } }, { fence, holder, open: 1 })
}
