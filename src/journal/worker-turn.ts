/** Decides when a worker asks whether another workspace waits: after a piece of work, or after enough time. */
import type { Clock } from '../ports/clock.ts'
import type { Turn } from '../ports/queue.ts'

/** ms. After this the worker asks even if no piece of work is done. */
const turnLasts = 100

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
