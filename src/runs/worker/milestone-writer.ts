/**
 * Stores the milestones of one session in batches, one at a time. While a batch is under way, the next one collects what
 * comes meanwhile.
 */
import { instant } from '../../ports/clock.ts'
import { appendMilestones, type Milestone, nextMilestone, type RunOfMilestones } from '../stored/milestone.ts'
import { insist } from './insist.ts'
import type { Keeper } from './keeper.ts'
import type { RunWorkerPorts } from './ports.ts'

export interface MilestoneWriter {
  /** Waits while too many are not stored yet. */
  add(milestone: Milestone): Promise<void>
  /** Resolves when all are stored, or never will be. */
  flush(): Promise<void>
}

/** Of a batch. */
const mostItems = 200
const mostBytes = 1024 * 1024
/** Milestones that wait. Beyond that, the executor is read no further. */
const mostWaiting = 2 * mostItems

export function milestoneWriter(ports: RunWorkerPorts, keeper: Keeper, run: RunOfMilestones): MilestoneWriter {
  const { documents, clock } = ports
  let waiting: Milestone[] = []
  let next: number | 'closed' | undefined
  let writing: Promise<void> | undefined
  let failure: unknown

  async function write(): Promise<void> {
    while (waiting.length > 0) {
      const items = firstOf(waiting)
      waiting = waiting.slice(items.length)
      const batch = { ...run, fence: keeper.held.fence, items, at: instant(clock) }
      next = await insist(ports, keeper, async () => {
        next ??= await nextMilestone(documents, run)
        return next === 'closed' ? next : appendMilestones(documents, batch, next)
      })
      // of a lost session, or after the run has ended
      if (next === undefined || next === 'closed') waiting = []
      ports.runsChanged?.([run.run])
    }
  }

  function begin(): Promise<void> {
    writing ??= write()
      .catch((error: unknown) => {
        failure = error
      })
      .finally(() => {
        writing = undefined
      })
    return writing
  }

  return {
    async add(milestone) {
      if (next === 'closed' || keeper.over() === 'lost' || failure !== undefined) return
      waiting.push(milestone)
      const written = begin()
      if (waiting.length >= mostWaiting) await written
    },
    async flush() {
      while (waiting.length > 0 || writing !== undefined) await begin()
      if (failure !== undefined) throw failure
    },
  }
}

function firstOf(waiting: readonly Milestone[]): Milestone[] {
  let bytes = 0
  const fitting = waiting.slice(0, mostItems).findIndex((item) => {
    bytes += Buffer.byteLength(JSON.stringify(item))
    return bytes > mostBytes
  })
  return waiting.slice(0, fitting < 0 ? mostItems : Math.max(1, fitting))
}
