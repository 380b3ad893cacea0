/** Limits the jobs that run at once in this process, over both lanes. Interactive jobs go first. */
import { interactiveInRow, type Lane, lanes } from '../../ports/queue.ts'

export interface Turns {
  /** Waits for a turn. false: closed, so the job must not start. */
  take(lane: Lane): Promise<boolean>
  give(): void
  /** An import is due after many interactive jobs in a row, so that it can't wait for ever. */
  importIsDue(): boolean
  isFull(): boolean
  /** Whether a fetched job waits for a turn. */
  isWaitedFor(): boolean
  close(): void
}

export function turnsOf(most: number): Turns {
  const waiting: Record<Lane, ((mayRun: boolean) => void)[]> = { interactive: [], import: [] }
  let running = 0
  let inRow = 0
  let closed = false

  function next(): void {
    while (running < most) {
      const lane: Lane =
        waiting.interactive.length > 0 && !(waiting.import.length > 0 && inRow >= interactiveInRow)
          ? 'interactive'
          : 'import'
      const begin = waiting[lane].shift()
      if (begin === undefined) return
      running++
      inRow = lane === 'import' ? 0 : inRow + 1
      begin(true)
    }
  }

  return {
    take(lane) {
      if (closed) return Promise.resolve(false)
      return new Promise((begin) => {
        waiting[lane].push(begin)
        next()
      })
    },
    give() {
      running--
      next()
    },
    importIsDue: () => inRow >= interactiveInRow,
    isFull: () => running >= most,
    isWaitedFor: () => lanes.some((lane) => waiting[lane].length > 0),
    close() {
      closed = true
      for (const lane of lanes) for (const begin of waiting[lane].splice(0)) begin(false)
    },
  }
}
