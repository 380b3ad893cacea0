/** Publishes the operator's policy, so that all apply workers decide by the same one. */
import type { Policy } from '../../access/run-policy.ts'
import { type Clock, instant } from '../../ports/clock.ts'
import type { Documents } from '../../ports/documents.ts'
import { policies, theOnePolicy } from '../deciding/rules.ts'

interface Publishing {
  documents: Documents
  clock: Clock
}

/** Without a policy, every run waits for an approval. */
const none: Policy = { default: 'require_approval', rules: [] }

/** `hash`: the same for two files whose policies say the same. */
export async function publishPolicy(
  { documents, clock }: Publishing,
  { policy, hash }: { policy: Policy | undefined; hash: string },
): Promise<void> {
  const stored = await documents.get(policies, theOnePolicy, ['version', 'hash'])
  // nothing was ever published, which means the same as none
  if (stored?.hash === hash || (stored === undefined && policy === undefined)) return
  const version = (stored?.version ?? 0) + 1
  const published = { id: theOnePolicy, version, hash, policy: policy ?? none, at: instant(clock) }
  await documents.upsertIfNewer(policies, [published], 'version')
}
