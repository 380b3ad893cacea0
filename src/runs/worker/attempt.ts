/** One session of a run, from the lease that was taken to the lease that is given back (V2 4.4). */
import type { Ending, ExecutorSession } from '../../ports/executor.ts'
import { sessionId } from '../stored/session.ts'
import { begin } from './begin.ts'
import { carryOut } from './carry-out.ts'
import type { Keeper } from './keeper.ts'
import { leave } from './leave.ts'
import type { RunExecutor, RunWorkerPorts } from './ports.ts'
import type { QueuedRun } from './queued.ts'

/** Returns whether it began. Rejects if the executor can't start sessions; then nothing has happened to the run. */
export async function attempt(
  ports: RunWorkerPorts,
  executor: RunExecutor,
  { workspace, phase }: QueuedRun,
  keeper: Keeper,
): Promise<boolean> {
  const { id: run, fence } = keeper.held
  let opened: ExecutorSession | undefined
  try {
    // before the begin, so that an executor that can't start costs the run no attempt
    opened = await executor.executor.open({ id: sessionId(run, fence), timeLimitMs: executor.timeLimitMs })
    keeper.attach(opened)
    const begun = await begin(ports, keeper, { workspace, phase })
    if (typeof begun !== 'string') {
      // a session that is believed no more keeps its lease, until maintain takes it
      if (await carryOut(ports, keeper, { executor, opened, run: begun })) await leave(ports, keeper, workspace, false)
      return true
    }
    await endOf(opened)
    await leave(ports, keeper, workspace, begun === 'over')
    return false
  } catch (error) {
    if (opened === undefined) await leave(ports, keeper, workspace, false)
    throw error
  } finally {
    // nothing of the operator may outlive the lease
    if (opened) await endOf(opened)
    keeper.stop()
  }
}

function endOf(opened: ExecutorSession): Promise<Ending> {
  opened.end()
  return opened.ended
}
