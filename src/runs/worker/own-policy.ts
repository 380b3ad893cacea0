/**
 * The policy in this worker's own file. The published one has decided, but the file of this worker may be newer and
 * stricter: then the worker leaves the run to others.
 */
import type { Policy } from '../../access/run-policy.ts'
import { verdictOf } from '../deciding/policy.ts'
import type { RunRow } from './run-row.ts'

/** `policy` undefined: the file has none, so the published one alone counts. */
export function ownPolicyAllows(policy: Policy | undefined, { body, mutable }: RunRow): boolean {
  if (policy === undefined) return true
  const { labels, project, priority, repo_full_name: repo, executor } = body
  const { verdict } = verdictOf(policy, { labels, project, priority, repo, executor })
  if (verdict === 'require_approval') return mutable.phase === 'plan' || mutable.approval !== null
  return verdict === 'allow'
}
