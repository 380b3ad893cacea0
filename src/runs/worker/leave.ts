/** Gives a lease back when nothing of its session is left. */
import type { WorkspaceId } from '../../ids.ts'
import { instant } from '../../ports/clock.ts'
import { hasEnded } from '../../records/run.ts'
import { submit } from '../steps/submit.ts'
import { closeLease, loseLease, releaseLease } from '../stored/lease.ts'
import { closeMilestones } from '../stored/milestone.ts'
import { insist } from './insist.ts'
import type { Keeper } from './keeper.ts'
import type { RunWorkerPorts } from './ports.ts'
import { readRun } from './run-row.ts'

/** `mayBegin`: a begin was submitted, and the journal may still allow it. */
export async function leave(
  ports: RunWorkerPorts,
  keeper: Keeper,
  workspace: WorkspaceId,
  mayBegin: boolean,
): Promise<void> {
  const { documents } = ports
  const { held } = keeper
  const run = await insist(ports, keeper, () => readRun(documents, held.id))
  if (run === undefined || run.mutable.fence > held.fence) {
    keeper.stop()
    return
  }
  const { state, fence } = run.mutable
  if (hasEnded(state)) {
    const batch = { fence: held.fence, at: instant(ports.clock) }
    const milestones = { workspace, audience: run.audience, run: held.id }
    await insist(ports, keeper, () => closeMilestones(documents, milestones, batch))
    keeper.stop()
    await insist(ports, keeper, () => closeLease(documents, held))
    return
  }
  const isActive = state === 'planning' || state === 'running'
  keeper.stop()
  if (fence === held.fence ? isActive : mayBegin) await giveUp(ports, keeper, workspace)
  else await insist(ports, keeper, () => releaseLease(documents, held))
}

/** The session has not ended its phase. A worker that stops in order has made no attempt. */
async function giveUp(ports: RunWorkerPorts, keeper: Keeper, workspace: WorkspaceId): Promise<void> {
  const { held } = keeper
  const fence = held.fence + 1
  const input = { fence, ...(keeper.over() === 'given up' ? { uncounted: true } : {}) }
  await insist(ports, keeper, () => loseLease(ports.documents, held))
  // also if the lease was lost before: the journal refuses what comes late
  await insist(ports, keeper, () =>
    submit(ports, 'run', { operation: 'run.lost', workspace, run: held.id, of: fence, input }),
  )
}
