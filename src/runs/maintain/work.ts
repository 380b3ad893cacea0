/** What maintain does for runs at intervals. */
import type { Policy } from '../../access/run-policy.ts'
import type { JournalPorts } from '../../journal/ports.ts'
import { forgetRunners } from '../worker/publish-runner.ts'
import { expireRuns } from './expire.ts'
import { leaseWatcher } from './leases.ts'
import { publishPolicy } from './publish-policy.ts'
import { deleteStaleKeys } from './stale-keys.ts'

type Every = (ms: number, what: string, work: () => Promise<unknown>) => void

/** ms. */
const leasesEvery = 5_000
const policyEvery = 10_000
const expiryEvery = 30_000
const runnersEvery = 10 * 60_000

/** `operator`: the policy of this process's file. */
export function maintainRuns(
  ports: JournalPorts,
  operator: { policy: Policy | undefined; hash: string },
  every: Every,
): void {
  every(leasesEvery, 'looking at the leases of runs', leaseWatcher(ports))
  every(policyEvery, 'publishing the policy of runs', () => publishPolicy(ports, operator))
  every(expiryEvery, 'ending runs that nobody approved', () => expireRuns(ports))
  every(expiryEvery, 'deleting keys of lost sessions', () => deleteStaleKeys(ports.documents))
  every(runnersEvery, 'forgetting run workers', () => forgetRunners(ports))
}
