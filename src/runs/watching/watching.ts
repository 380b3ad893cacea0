/**
 * Lets callers watch runs. All watchers of a process share its reads: two or three queries every 40 ms for all watched
 * runs, however many watchers there are. Writers of the same process tell it at once.
 */
import type { RecordId, WorkspaceId } from '../../ids.ts'
import { chunks } from '../../ports/chunks.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Documents } from '../../ports/documents.ts'
import type { RunWatching, WatchedRun } from '../../records/watched-run.ts'
import { type FollowedRun, loadRun, lookAt } from './followed-run.ts'
import { readPages } from './read-pages.ts'
import { waitingRoom } from './waiting-room.ts'

/** ms. A milestone reaches its watchers within 150 ms of its line. */
const pollEvery = 40
/** ms between two looks, if writers tell of changes more often. */
const leastPause = 10
/** ms. A long poll comes back within it, and finds what the one before has read. */
const lingersFor = 5_000
/** Runs in one query. A batch of milestones has at most 1 MiB. */
const runsAtOnce = 100

interface Watched extends FollowedRun {
  watchers: number
  /** Since when nobody watches it, by `clock.elapsed`. */
  leftAt: number
}

export function runWatching(documents: Documents, clock: Clock): RunWatching {
  const loading = new Map<RecordId, Promise<Watched>>()
  const watched = new Map<RecordId, Watched>()
  const room = waitingRoom()
  const older = readPages(documents)
  let nudge: () => void = () => {}
  let isNudged = false
  let isLooking = false
  let isClosed = false

  async function load(workspace: WorkspaceId, run: RecordId): Promise<Watched> {
    const followed = await loadRun(documents, older, workspace, run)
    return { ...followed, watchers: 0, leftAt: clock.elapsed() }
  }

  function nudged(): Promise<void> {
    return new Promise((resolve) => {
      nudge = resolve
    })
  }

  async function keepLooking(): Promise<void> {
    if (isLooking) return
    isLooking = true
    while (watched.size > 0 && !isClosed) {
      if (!isNudged) await Promise.race([clock.sleep(pollEvery), nudged()])
      isNudged = false
      const open = [...watched.values()].filter(({ now }) => !now.isOver)
      for (const some of chunks(open, runsAtOnce)) {
        // if the store is unavailable, watchers keep what they have, and the next look is the retry
        for (const run of await lookAt(documents, some).catch(() => [])) room.wake(run)
      }
      forgetUnwatched()
      await clock.sleep(leastPause)
    }
    isLooking = false
  }

  function forgetUnwatched(): void {
    const now = clock.elapsed()
    for (const [run, { watchers, leftAt }] of watched) {
      if (watchers > 0 || now - leftAt < lingersFor) continue
      watched.delete(run)
      loading.delete(run)
    }
  }

  function enter(one: Watched): WatchedRun {
    let hasLeft = false
    one.watchers += 1
    return {
      now: () => one.now,
      page: (after, most) => one.kept.page(after, most) ?? older.page(one.workspace, one.run, after, most),
      newer: async (seen, until) => {
        if (one.now === seen) await room.wait(one.run, until)
      },
      leave() {
        if (hasLeft) return
        hasLeft = true
        one.watchers -= 1
        one.leftAt = clock.elapsed()
      },
    }
  }

  return {
    async join(workspace, run) {
      const promised = loading.get(run) ?? load(workspace, run)
      loading.set(run, promised)
      const one = await promised.catch((error: unknown) => {
        loading.delete(run)
        throw error
      })
      const entered = enter(one)
      // again, because it may have been forgotten meanwhile
      loading.set(run, promised)
      watched.set(run, one)
      void keepLooking()
      return entered
    },
    changed(runs) {
      if (!runs.some((run) => watched.has(run))) return
      isNudged = true
      nudge()
    },
    close() {
      isClosed = true
      nudge()
      room.close()
    },
  }
}
