/** Whether a session that runs on this machine is the one that its run believes in. */
import type { Documents } from '../../ports/documents.ts'
import { leases } from '../stored/lease.ts'
import { sessions } from '../stored/session.ts'

/**
 * Sessions of another service may run on the same machine. They are left alone, as those that are not known. A session
 * without a guard is not believed, although its worker may still seem to hold the lease: both have died together.
 */
export async function isBelieved(documents: Documents, session: string, hasGuard: boolean): Promise<boolean> {
  const row = await documents.get(sessions, session, ['run', 'fence'])
  const lease = row && (await documents.get(leases, row.run, ['fence', 'holder']))
  return !row || !lease || (hasGuard && lease.fence === row.fence && lease.holder !== null)
}
