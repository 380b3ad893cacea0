/**
 * maintain: does the rebuilds that are asked for, gives up those whose worker has died, removes what they left behind,
 * and rebuilds an index that is missing or older than the checkpoint says.
 */
import type { Documents } from '../ports/documents.ts'
import type { SearchEngine } from '../ports/search.ts'
import type { WorkspaceId } from '../records/ids.ts'
import { checkpointPages } from './checkpoint-pages.ts'
import { type Checkpoint, checkpoints } from './entry.ts'
import { checkpointOf } from './head.ts'
import type { JournalPorts } from './ports.ts'
import { fillAndSwap, rebuild } from './rebuild.ts'
import { isShared, newRebuild, openRebuild, type Rebuild, type RebuildState, rebuilds } from './rebuilds.ts'

/** ms. A worker that was silent for so long is taken for dead. */
const deadAfter = 60_000
/** ms that readers have for what they began on the index that was replaced. */
const readFor = 60_000
/** ms that a rebuild is shown after it ended. */
const shownFor = 24 * 60 * 60_000
const rebuildsAtOnce = 100
const checkpointsAtOnce = 500

export async function keepIndexes(ports: JournalPorts, stopping: AbortSignal): Promise<void> {
  for (const given of await olderThan(ports, 'filling', deadAfter)) await giveUp(ports, given)
  for (const asked of await olderThan(ports, 'asked', 0)) await begin(ports, asked, stopping)
  for (const left of await olderThan(ports, 'dropping', 0)) await dropIndex(ports, left)
  for (const live of await olderThan(ports, 'live', readFor)) await dropReplaced(ports, live)
  const ended = await olderThan(ports, 'done', shownFor)
  await ports.documents.delete(
    rebuilds,
    ended.map(({ id }) => id),
  )
}

/** One that is missing, or older than the checkpoint says: whoever kept it lost it, or had it from a copy. */
export async function rebuildLost(ports: JournalPorts): Promise<void> {
  for await (const { id: workspace, live } of lostIndexes(ports, await ports.epoch())) {
    if (await openRebuild(ports.documents, workspace)) continue
    ports.log.error({ workspace, index: live }, 'the search index is missing or older than it was: it is rebuilt')
    await rebuild(ports, workspace)
  }
}

/** Those of this state that were not touched for `ms`. */
async function olderThan({ documents, clock }: JournalPorts, state: RebuildState, ms: number): Promise<Rebuild[]> {
  const found = await documents.find(rebuilds, { where: { state }, sort: [['id', 'asc']], limit: rebuildsAtOnce })
  return found.filter(({ touched_at }) => Date.parse(touched_at) <= clock.now() - ms)
}

/** It may have swapped, and died before it said so. */
async function giveUp(ports: JournalPorts, { id, workspace, touched_at, replaced }: Rebuild): Promise<void> {
  const { live } = await checkpointOf(ports.documents, workspace)
  const isLive = live === id
  const state = isLive ? 'live' : 'dropping'
  // unchanged since: else its worker lives
  const given = await ports.documents.update(rebuilds, id, { set: { state } }, { state: 'filling', touched_at })
  if (!given) return
  ports.log.warn({ workspace, index: id, replaced, state }, 'the worker of a rebuild has died')
  if (!isLive && !(await openRebuild(ports.documents, workspace))) {
    const now = new Date(ports.clock.now()).toISOString()
    await ports.documents.insert(rebuilds, newRebuild(ports.clock.id(), workspace, now, 'asked'))
  }
}

async function begin(ports: JournalPorts, { id, ...asked }: Rebuild, stopping: AbortSignal): Promise<void> {
  if (stopping.aborted) return
  const set = { state: 'filling', touched_at: new Date(ports.clock.now()).toISOString() } as const
  // another maintain may have it
  if (!(await ports.documents.update(rebuilds, id, { set }, { state: 'asked' }))) return
  try {
    await fillAndSwap(ports, { id, ...asked }, stopping)
  } catch (error) {
    // what it has filled is good: whoever comes next goes on at once
    await ports.documents.update(rebuilds, id, { set: { state: 'asked' } }, { state: 'filling' })
    if (!stopping.aborted) throw error
  }
}

async function dropIndex(ports: JournalPorts, { id }: Rebuild): Promise<void> {
  await ports.search.drop(id)
  await ports.documents.delete(rebuilds, [id])
}

async function dropReplaced(ports: JournalPorts, { id, workspace, replaced }: Rebuild): Promise<void> {
  const { live } = await checkpointOf(ports.documents, workspace)
  if (replaced !== null && !isShared(replaced) && replaced !== live) await ports.search.drop(replaced)
  const now = new Date(ports.clock.now()).toISOString()
  await ports.documents.update(rebuilds, id, { set: { state: 'done', touched_at: now } }, { state: 'live' })
}

type Lost = Pick<Checkpoint, 'id' | 'live'>

/** Workspaces whose live index is missing, or knows less than its checkpoint says; among the first `most`. */
export async function* lostIndexes(
  { documents, search }: { documents: Documents; search: SearchEngine },
  epoch: string,
  most = Number.POSITIVE_INFINITY,
): AsyncGenerator<Lost> {
  let looked = 0
  const size = Math.min(checkpointsAtOnce, most)
  for await (const page of checkpointPages(documents, size, ['live', 'indexed', 'indexed_seq'])) {
    for (const checkpoint of page.slice(0, most - looked)) {
      if (checkpoint.indexed > 0 && (await isLost(documents, search, checkpoint, epoch))) yield checkpoint
    }
    looked += page.length
    if (looked >= most) return
  }
}

async function isLost(
  documents: Documents,
  search: SearchEngine,
  { id, live, indexed_seq }: Pick<Checkpoint, 'id' | 'live' | 'indexed_seq'>,
  epoch: string,
): Promise<boolean> {
  const mark = await search.mark(live, id)
  if (mark && mark.epoch === epoch && mark.sequence >= indexed_seq) return false
  // it may have been replaced and dropped since the checkpoint was read
  return (await documents.get(checkpoints, id as WorkspaceId, ['live']))?.live === live
}
