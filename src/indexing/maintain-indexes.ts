/**
 * maintain: runs requested rebuilds, abandons those whose worker has died, drops unused indexes, and rebuilds lost
 * ones. After an upgrade it fills indexes of the new version.
 */

import type { JournalPorts } from '../journal/ports.ts'
import { instant } from '../ports/clock.ts'
import { pagesById } from '../ports/pages.ts'
import { outdatedIndexes } from './lost-indexes.ts'
import { dropOlderVersions, fillNextVersion } from './next-version.ts'
import { replaceLost, runRebuild } from './rebuild.ts'
import { dropUnused, withdraw } from './rebuild-end.ts'
import { indexOf, newRebuild, openRebuild, type Rebuild, type RebuildState, rebuilds } from './rebuilds.ts'

/** ms. A worker that was silent for this long counts as dead. */
const deadAfter = 60_000
/** ms. Readers may finish on a replaced index before it is dropped. */
const readFor = 60_000
/** ms. How long a finished rebuild is listed. */
const shownFor = 24 * 60 * 60_000
const rebuildsAtOnce = 100
/** Rebuilds to run before tidying up again. */
const carriedOutAtOnce = 10

/** A failure does not stop the other rebuilds. Throws the first failure at the end. */
export async function maintainIndexes(ports: JournalPorts, stopping: AbortSignal): Promise<void> {
  const failures = await tidy(ports, stopping)
  for await (const page of pagesOf(ports, 'asked', carriedOutAtOnce)) {
    failures.push(...(await each(ports, stopping, page, (asked) => runRebuild(ports, asked, stopping))))
    failures.push(...(await tidy(ports, stopping)))
  }
  if (failures.length > 0) throw failures[0]
}

/**
 * Rebuilds indexes that are missing or behind the checkpoint: the engine lost them, or was restored from a copy. Fills
 * those that exist only in another version, and drops older versions.
 */
export async function rebuildOutdated(ports: JournalPorts, stopping: AbortSignal): Promise<void> {
  const failures: unknown[] = []
  for await (const outdated of outdatedIndexes(ports, await ports.epoch())) {
    const { id: workspace, live: index, trouble } = outdated
    // the running rebuild or maintainIndexes takes care of it
    if (await openRebuild(ports.documents, workspace)) continue
    const one = { workspace, id: index, into: null }
    const work = async () => {
      if (trouble !== 'lost') return fillNextVersion(ports, workspace, stopping)
      ports.log.error({ workspace, index }, 'search index is missing or outdated; rebuilding it')
      await replaceLost(ports, outdated, stopping)
    }
    failures.push(...(await each(ports, stopping, [one], work)))
  }
  if (failures.length > 0) throw failures[0]
  await dropOlderVersions(ports)
}

/** Runs before rebuilds, because an engine has a limited number of indexes and this frees some. */
async function tidy(ports: JournalPorts, stopping: AbortSignal): Promise<unknown[]> {
  const failures: unknown[] = []
  const works = [
    ['filling', deadAfter, giveUp],
    ['dropping', 0, dropIndex],
    ['live', readFor, dropReplaced],
  ] as const
  for (const [state, silentFor, work] of works) {
    for await (const page of pagesOf(ports, state, rebuildsAtOnce)) {
      const due = silent(ports, page, silentFor)
      failures.push(...(await each(ports, stopping, due, (one) => work(ports, one))))
    }
  }
  const where = { state: 'done' }
  const done = await ports.documents.find(rebuilds, { where, sort: [['id', 'asc']], limit: rebuildsAtOnce })
  const ended = silent(ports, done, shownFor)
  await ports.documents.delete(
    rebuilds,
    ended.map(({ id }) => id),
  )
  return failures
}

/** Returns the failures. A failure because the process stops does not count. */
async function each<One extends Pick<Rebuild, 'id' | 'into' | 'workspace'>>(
  { log }: JournalPorts,
  stopping: AbortSignal,
  ones: readonly One[],
  work: (one: One) => Promise<unknown>,
): Promise<unknown[]> {
  const failures: unknown[] = []
  for (const one of ones) {
    if (stopping.aborted) break
    try {
      await work(one)
    } catch (error) {
      if (stopping.aborted) break
      log.warn(
        { err: error, workspace: one.workspace, index: indexOf(one) },
        'index maintenance failed; it will be retried',
      )
      failures.push(error)
    }
  }
  return failures
}

/** All rebuilds in this state, oldest request first. */
function pagesOf({ documents }: JournalPorts, state: RebuildState, limit: number): AsyncGenerator<Rebuild[]> {
  return pagesById(documents, rebuilds, { where: { state }, limit })
}

/** Those without a heartbeat for `ms`. */
function silent({ clock }: JournalPorts, all: readonly Rebuild[], ms: number): Rebuild[] {
  return all.filter(({ touched_at }) => Date.parse(touched_at) <= clock.now() - ms)
}

async function giveUp(ports: JournalPorts, given: Rebuild): Promise<void> {
  const { id, workspace, touched_at, into } = given
  const set = { state: 'dropping' } as const
  // if touched_at has changed, the worker is alive
  if (!(await ports.documents.update(rebuilds, id, { set }, { state: 'filling', touched_at }))) return
  ports.log.warn({ workspace, index: indexOf(given) }, 'rebuild abandoned: its worker has died')
  if (!(await withdraw(ports, given)) || (await openRebuild(ports.documents, workspace))) return
  await ports.documents.insert(rebuilds, newRebuild(ports.clock, workspace, into))
}

async function dropIndex(ports: JournalPorts, left: Rebuild): Promise<void> {
  if (!(await withdraw(ports, left))) return
  if (!(await dropUnused(ports, indexOf(left)))) return
  await ports.documents.delete(rebuilds, [left.id], { state: 'dropping' })
}

async function dropReplaced(ports: JournalPorts, { id, replaced }: Rebuild): Promise<void> {
  if (replaced !== null && !(await dropUnused(ports, replaced))) return
  const set = { state: 'done', touched_at: instant(ports.clock) } as const
  await ports.documents.update(rebuilds, id, { set }, { state: 'live' })
}
