/** Decides which job of a kind runs next in this process. At most `most` jobs of both lanes run at a time, interactive first. */
import { interactiveInRow, type Lane, lanes } from '../../ports/queue.ts'

export interface Turns {
  /** Waits for a turn. Resolves with false if it was closed: then the job must not begin. */
  take(lane: Lane): Promise<boolean>
  give(): void
  /** Interactive jobs have had `interactiveInRow` turns in a row, so the next one is for an import. */
  importIsDue(): boolean
  isFull(): boolean
  /** A fetched job is waiting for a turn. */
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
