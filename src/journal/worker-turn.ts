/** When a worker asks its turn whether another workspace waits: after a piece of work, or once enough time has passed. */
import type { Clock } from '../ports/clock.ts'
import type { Turn } from '../ports/queue.ts'

/** ms of work after which another workspace goes first, even if no piece of it is done. */
const turnLasts = 100

export interface WorkerTurn {
  /** A piece was done: others come first now. */
  pieceDone(): void
  /** true: another workspace has the place, and the worker returns. Asks only when the turn is over. */
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
      // nobody waits: a turn of its own again
      isDone = false
      since = elapsed()
      return false
    },
  }
}
