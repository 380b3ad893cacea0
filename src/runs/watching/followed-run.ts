/** What a process knows of a run that it follows, and how it learns what is new of many runs in few queries. */
import type { RecordId, WorkspaceId } from '../../ids.ts'
import type { Documents } from '../../ports/documents.ts'
import { hasEnded, type RunState, runStateDocuments } from '../../records/run.ts'
import type { RunNow } from '../../records/watched-run.ts'
import { type Lease, leases } from '../stored/lease.ts'
import { milestoneBatchId, milestones } from '../stored/milestone.ts'
import { type KeptMilestones, keptMilestones } from './milestone-pages.ts'
import type { MilestoneReader } from './read-pages.ts'

export interface FollowedRun {
  run: RecordId
  workspace: WorkspaceId
  /** The same object until something changes. */
  now: RunNow
  kept: KeptMilestones
}

export async function loadRun(
  documents: Documents,
  reader: MilestoneReader,
  workspace: WorkspaceId,
  run: RecordId,
): Promise<FollowedRun> {
  // the run before its milestones: if it is over, none is missing
  const standing = await standingOf(documents, [run])
  const kept = keptMilestones(await reader.newest(workspace, run))
  return { run, workspace, now: nowOf(standing, run, kept), kept }
}

/** Returns the runs of which something is new. */
export async function lookAt(documents: Documents, some: readonly FollowedRun[]): Promise<RecordId[]> {
  const ids = some.map(({ run }) => run)
  const standing = await standingOf(documents, ids)
  await readNew(documents, some)
  return some.flatMap((one) => {
    const { state, last, isOver } = one.now
    const now = nowOf(standing, one.run, one.kept)
    if (now.state === state && now.last === last && now.isOver === isOver) return []
    one.now = now
    return one.run
  })
}

/** The number of the next batch is known, so one query reads the next batches of all runs. */
async function readNew(documents: Documents, some: readonly FollowedRun[]): Promise<void> {
  let behind = some
  while (behind.length > 0) {
    const ids = behind.map(({ run, kept }) => milestoneBatchId(run, kept.last() + 1))
    const found = await documents.find(milestones, { where: { id: { in: ids } }, limit: ids.length })
    const batches = new Map(found.map((batch) => [batch.run, batch]))
    behind = behind.filter(({ run, kept }) => {
      const batch = batches.get(run)
      if (batch) kept.add(batch)
      return batch !== undefined && batch.items.length > 0
    })
  }
}

interface Standing {
  states: ReadonlyMap<string, RunState>
  /** Of the runs that have ended. */
  leases: ReadonlyMap<string, SeenLease>
}
type SeenLease = Pick<Lease, 'id' | 'open' | 'holder' | 'fence'>

async function standingOf(documents: Documents, runs: readonly RecordId[]): Promise<Standing> {
  const states = await documents.find(runStateDocuments, {
    where: { id: { in: runs } },
    limit: runs.length,
    fields: ['id', 'state'],
  })
  const ended = states.filter(({ state }) => hasEnded(state)).map(({ id }) => id)
  const read = () =>
    documents.find(leases, {
      where: { id: { in: ended } },
      limit: ended.length,
      fields: ['id', 'open', 'holder', 'fence'],
    })
  const found = ended.length === 0 ? [] : await read()
  return {
    states: new Map(states.map(({ id, state }) => [id, state])),
    leases: new Map(found.map((lease) => [lease.id, lease])),
  }
}

/** The row of a run is projected before its state, so a run may have none for a moment. */
function nowOf({ states, leases }: Standing, run: RecordId, kept: KeptMilestones): RunNow {
  const state = states.get(run) ?? 'queued'
  return { state, last: kept.last(), isOver: hasEnded(state) && isClosed(leases.get(run)) }
}

/** Nobody can store milestones any more. A lease that is missing was pruned; one with fence 0 was never taken. */
function isClosed(lease: SeenLease | undefined): boolean {
  if (lease === undefined || lease.open === 0) return true
  return lease.holder === null && lease.fence === 0
}
