/** How a rebuild ends: it serves, or is withdrawn; and how an index goes that nobody uses any more. */
import { settings } from '../access/settings.ts'
import { instant } from '../ports/clock.ts'
import type { Documents, Where } from '../ports/documents.ts'
import { checkpoints } from './entry.ts'
import { checkpointOf, firstIndex } from './head.ts'
import type { JournalPorts } from './ports.ts'
import { indexOf, isShared, type Rebuild, rebuilds } from './rebuilds.ts'

/** Whether the swap happened, whatever its worker came to know of it. */
export async function isServing({ documents }: Pick<JournalPorts, 'documents'>, rebuild: Rebuild): Promise<boolean> {
  return (await checkpointOf(documents, rebuild.workspace)).live === indexOf(rebuild)
}

/** Says that it serves, where it is still in the state that it was seen in. */
export async function markServing(ports: JournalPorts, rebuild: Rebuild, seen: Where<Rebuild>): Promise<void> {
  const { id, workspace } = rebuild
  // what it replaced is dropped later: somebody may have read its name just now
  const set = { state: 'live', touched_at: instant(ports.clock) } as const
  if (!(await ports.documents.update(rebuilds, id, { set }, seen))) return
  ports.log.info({ workspace, index: indexOf(rebuild) }, 'index rebuilt')
  // for what waited; where the queue is away, those who poll find it
  await ports.queue.add('index', { workspace, lane: 'interactive' }).catch(() => {})
}

/** From now on it can't swap, though a worker of it thaws. false: it has swapped before, and serves. */
export async function withdraw(ports: JournalPorts, rebuild: Rebuild): Promise<boolean> {
  const { id, workspace } = rebuild
  await ports.documents.update(checkpoints, workspace, { set: { filling: null } }, { filling: id })
  if (!(await isServing(ports, rebuild))) return true
  await markServing(ports, rebuild, { state: 'dropping' })
  return false
}

/** Unless it serves a workspace, or is the one for those that are new. false: a rebuild may bring it in, so ask again. */
export async function dropUnused(ports: JournalPorts, index: string): Promise<boolean> {
  const { documents, search } = ports
  if (index === firstIndex) return true
  if (isShared(index)) {
    if (await isWanted(documents, index)) return false
    if (await isServingAny(documents, index)) return true
    // before the looks that count: whoever wants it from now on sees that, and takes the next one
    await documents.insert(settings, { id: endOf(index), version: 1, value: null })
    if (await isWanted(documents, index)) return false
    const given = await documents.find(rebuilds, { where: { into: index, state: 'dropping' }, limit: mostGivenUp })
    for (const one of given) await withdraw(ports, one)
  }
  if (!(await isServingAny(documents, index))) await search.drop(index)
  return true
}

/** Whether somebody set about to drop it, and may be doing so: nobody brings it in any more. */
export async function isRetired(documents: Documents, index: string): Promise<boolean> {
  return (await documents.get(settings, endOf(index), ['id'])) !== undefined
}

/** Of one index at a time. */
const mostGivenUp = 10_000

const endOf = (index: string) => `ended/${index}`

async function isWanted(documents: Documents, index: string): Promise<boolean> {
  const where = { into: index, state: { in: ['asked', 'filling'] } }
  return (await documents.find(rebuilds, { where, limit: 1, fields: ['id'] })).length > 0
}

async function isServingAny(documents: Documents, index: string): Promise<boolean> {
  return (await documents.find(checkpoints, { where: { live: index }, limit: 1, fields: ['id'] })).length > 0
}
