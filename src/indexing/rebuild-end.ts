/** The end of a rebuild: its index becomes the live one, or the rebuild is given up. Also drops unused indexes. */
import { settings } from '../access/settings.ts'
import { checkpointOf, checkpoints, firstIndex } from '../journal/checkpoint.ts'
import type { JournalPorts } from '../journal/ports.ts'
import { instant } from '../ports/clock.ts'
import type { Documents, Where } from '../ports/documents.ts'
import { indexOf, isShared, type Rebuild, rebuilds } from './rebuilds.ts'

/** Whether the swap happened. Its worker may not know, because an answer of the store can be lost. */
export async function isServing({ documents }: Pick<JournalPorts, 'documents'>, rebuild: Rebuild): Promise<boolean> {
  return (await checkpointOf(documents, rebuild.workspace)).live === indexOf(rebuild)
}

/** Sets the state to live, if the rebuild is still in the state that the caller saw. */
export async function markServing(ports: JournalPorts, rebuild: Rebuild, seen: Where<Rebuild>): Promise<void> {
  const { id, workspace } = rebuild
  // the replaced index is dropped later: a reader may have just read its name
  const set = { state: 'live', touched_at: instant(ports.clock) } as const
  if (!(await ports.documents.update(rebuilds, id, { set }, seen))) return
  ports.log.info({ workspace, index: indexOf(rebuild) }, 'index rebuilt')
  // entries wait for this index. If the queue is unavailable, the pollers find them
  await ports.queue.add('index', { workspace, lane: 'interactive' }).catch(() => {})
}

/** From now on the rebuild can't swap, even if its worker wakes up again. false: it has already swapped. */
export async function withdraw(ports: JournalPorts, rebuild: Rebuild): Promise<boolean> {
  const { id, workspace } = rebuild
  await ports.documents.update(checkpoints, workspace, { set: { filling: null } }, { filling: id })
  if (!(await isServing(ports, rebuild))) return true
  await markServing(ports, rebuild, { state: 'dropping' })
  return false
}

/**
 * Drops the index if no workspace uses it and it is not the index of new workspaces. Of that one, drops what an older
 * version of the service has left. false: a rebuild may still use it, so ask again later.
 */
export async function dropUnused(ports: JournalPorts, index: string): Promise<boolean> {
  const { documents, search } = ports
  if (index === firstIndex) {
    await search.dropOlder(index)
    return true
  }
  if (isShared(index)) {
    if (await isWanted(documents, index)) return false
    if (await isServingAny(documents, index)) return true
    // before the final checks: rebuilds that start from now on see this, and take the next index
    await documents.insert(settings, { id: endOf(index), version: 1, value: null })
    if (await isWanted(documents, index)) return false
    const given = await documents.find(rebuilds, { where: { into: index, state: 'dropping' }, limit: mostGivenUp })
    for (const one of given) await withdraw(ports, one)
  }
  if (!(await isServingAny(documents, index))) await search.drop(index)
  return true
}

/** Whether the index is retired: it may be dropped at any moment, so no rebuild may use it. */
export async function isRetired(documents: Documents, index: string): Promise<boolean> {
  return (await documents.get(settings, endOf(index), ['id'])) !== undefined
}

/** Rebuilds of one index. */
const mostGivenUp = 10_000

const endOf = (index: string) => `ended/${index}`

async function isWanted(documents: Documents, index: string): Promise<boolean> {
  const where = { into: index, state: { in: ['asked', 'filling'] } }
  return (await documents.find(rebuilds, { where, limit: 1, fields: ['id'] })).length > 0
}

async function isServingAny(documents: Documents, index: string): Promise<boolean> {
  return (await documents.find(checkpoints, { where: { live: index }, limit: 1, fields: ['id'] })).length > 0
}
