/** How workers let others go first: other workspaces, waiting writes, and requests. */
import { performance } from 'node:perf_hooks'
import type { Clock } from '../ports/clock.ts'
import type { Documents } from '../ports/documents.ts'
import { servedWithin } from '../ports/last-request.ts'
import type { Turn } from '../ports/queue.ts'
import { receipts } from '../receipt.ts'

/** ms. After this the worker asks even if no piece of work is done. */
const turnLasts = 100

/** Decides when a worker asks whether another workspace waits: after a piece of work, or after enough time. */
export interface WorkerTurn {
  /** Call it after each piece of work: other workspaces go first now. */
  pieceDone(): void
  /** true: another workspace takes the place, so the worker must return. Asks the queue only if the turn is over. */
  isGivenUp(): Promise<boolean>
}

export function workerTurn({ elapsed }: Pick<Clock, 'elapsed'>, turn: Turn): WorkerTurn {
  let since = elapsed()
  let isDone = false
  return {
    pieceDone: () => {
      isDone = true
    },
    async isGivenUp() {
      if (!isDone && elapsed() - since < turnLasts) return false
      if (await turn.giveUp()) return true
      // no other workspace waits: start a new turn
      isDone = false
      since = elapsed()
      return false
    },
  }
}

/** The minimum pause in ms, and the pause as a multiple of the work before it. */
interface Pause {
  atLeast: number
  times: number
}

/** While writes wait. */
const whileWriting: Pause = { atLeast: 20, times: 3 }
/** While the process is busy and serves requests. */
const whileServing: Pause = { atLeast: 100, times: 9 }
/** Event loop utilization above which a process counts as busy. */
const busy = 0.45
/** ms. A caller whose work takes no time here still notices a request. */
const leastNoticed = 100
/** ms. Background work continues however busy the process is. */
const longestPause = 1000

let before = performance.eventLoopUtilization()

/**
 * Yields to other work, for longer if a write waits, or if the process is busy while it serves requests: without them, only
 * background work itself may keep it busy. `took`: ms of the caller's own work since the last pause; leave it out if
 * another server did the work.
 */
export async function giveWay({ documents, clock }: { documents: Documents; clock: Clock }, took = 0): Promise<void> {
  const now = performance.eventLoopUtilization()
  const { utilization } = performance.eventLoopUtilization(now, before)
  before = now
  const [open] = await documents.find(receipts, { where: { open: 1 }, limit: 1, fields: ['id'] })
  const whileOthersWork = open ? whileWriting : undefined
  const isServing = utilization > busy && servedWithin(clock, Math.max(took, leastNoticed))
  const pause = isServing ? whileServing : whileOthersWork
  await clock.sleep(pause ? Math.min(longestPause, Math.max(pause.atLeast, pause.times * took)) : 0)
}
