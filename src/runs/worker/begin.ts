/** Begins a session: asks the journal, and prepares what the executor needs. */
import { scopesOfKey } from '../../access/keys.ts'
import { makeSessionKey } from '../../access/session-keys.ts'
import { instant } from '../../ports/clock.ts'
import type { Given } from '../../ports/executor.ts'
import { hasEnded, type RunPhase } from '../../records/run.ts'
import { submit } from '../steps/submit.ts'
import { sessionId } from '../stored/session.ts'
import { documentOf } from './document.ts'
import { insist, isAllowed } from './insist.ts'
import type { Keeper } from './keeper.ts'
import type { RunExecutor, RunWorkerPorts } from './ports.ts'
import { type RunRow, readRun } from './run-row.ts'

/**
 * The row of the run, once it shows the fence of this session. refused: it may not begin. over: the session is over, and
 * the journal may still let it begin.
 */
export async function begin(
  ports: RunWorkerPorts,
  keeper: Keeper,
  { workspace, phase }: { workspace: RunRow['workspace']; phase: RunPhase },
): Promise<RunRow | 'refused' | 'over'> {
  const { id: run, fence } = keeper.held
  const step = { operation: 'run.begin', workspace, run, of: fence, input: { fence, phase } } as const
  const receipt = await insist(ports, keeper, () => submit(ports, 'run', step))
  const allowed = receipt && (await isAllowed(ports, keeper, receipt))
  if (!allowed) return allowed === false ? 'refused' : 'over'
  const row = await insist(ports, keeper, () => readRun(ports.documents, run))
  // it may have been cancelled or lost since
  const isMine = row?.mutable.fence === fence && !hasEnded(row.mutable.state)
  return isMine && keeper.over() === undefined ? row : 'over'
}

/** ms. The key of a session outlives it by this time. */
const keyOutlives = 5 * 60_000

/** revoked: the credential that started the run, or it has expired. */
export async function givenTo(
  ports: RunWorkerPorts,
  keeper: Keeper,
  run: RunRow,
  { scopes, timeLimitMs }: Pick<RunExecutor, 'scopes' | 'timeLimitMs'>,
): Promise<Given | 'revoked'> {
  const { documents, clock, reads } = ports
  const { workspace, audience, body } = run
  const { id, fence } = keeper.held
  const requester = await scopesOfKey(documents, clock, { id: body.requested_by.credential, workspace })
  if (requester === undefined) return 'revoked'
  const key = await makeSessionKey(documents, {
    id: sessionId(id, fence),
    ...{ workspace, run: id, fence, audience, requester },
    executor: scopes,
    expires_at: new Date(Date.parse(instant(clock)) + timeLimitMs + keyOutlives).toISOString(),
  })
  const workspaceType = await ports.workspaceType(workspace)
  return { key, document: await documentOf({ run, fence, workspaceType }, reads) }
}
