/** Deletes keys of sessions that hold no lease any more: their worker has died, or could not reach the store. */
import { deleteSessionKeys, sessionKeys } from '../../access/session-keys.ts'
import type { Documents } from '../../ports/documents.ts'
import { pagesById } from '../../ports/pages.ts'
import { leases } from '../stored/lease.ts'

/** Keys of one query. */
const pageSize = 500

export async function deleteStaleKeys(documents: Documents): Promise<void> {
  for await (const keys of pagesById(documents, sessionKeys, { limit: pageSize, fields: ['run', 'fence'] })) {
    // read after the keys: a key is made by a session that holds its lease
    const held = await documents.find(leases, {
      where: { id: { in: keys.map(({ run }) => run) } },
      limit: keys.length,
      fields: ['id', 'fence', 'holder'],
    })
    const fences = new Map(held.map(({ id, fence, holder }) => [id, holder === null ? undefined : fence]))
    const stale = keys.filter(({ run, fence }) => fences.get(run) !== fence)
    const ids = stale.map(({ id }) => id)
    if (ids.length > 0) await deleteSessionKeys(documents, ids)
  }
}
