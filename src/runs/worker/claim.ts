/** Takes the lease of a queued run. */
import { EngineUnavailable } from '../../ports/unavailable.ts'
import { isHeld, leases, takeLease } from '../stored/lease.ts'
import { type Keeper, keepLease } from './keeper.ts'
import { ownPolicyAllows } from './own-policy.ts'
import type { RunWorkerPorts } from './ports.ts'
import type { QueuedRun } from './queued.ts'
import { readRun } from './run-row.ts'

/** taken: by somebody else, or it is queued no more. policy: this worker's own file forbids it. */
export async function claim(ports: RunWorkerPorts, { id }: QueuedRun): Promise<Keeper | 'taken' | 'policy'> {
  const { documents, clock, holder } = ports
  const lease = await documents.get(leases, id, ['id', 'fence'], { holder: null, open: 1 })
  if (!lease) return 'taken'
  const run = await readRun(documents, id)
  if (run?.mutable.state !== 'queued') return 'taken'
  if (!ownPolicyAllows(ports.policy, run)) return 'policy'
  const held = { id, fence: lease.fence + 1, holder }
  // the lease counts from the moment at which the take was sent, not from its answer
  const sent = clock.elapsed()
  try {
    if (!(await takeLease(documents, lease, holder))) return 'taken'
  } catch (error) {
    if (!(error instanceof EngineUnavailable)) throw error
    // the answer was lost. If this fails too, maintain takes the lease again
    if (!(await isHeld(documents, held))) return 'taken'
  }
  return keepLease(ports, held, sent)
}
