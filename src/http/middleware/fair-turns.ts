/**
 * Requests at work in turns. If one caller sends more than this process can answer, every other request waits behind all
 * of its requests in each step that it takes. So if callers compete, only a few requests of each are at work, and the
 * others wait in line: a single request of another caller then waits for a few steps instead of for all.
 */
import type { Shared } from '../limits.ts'
import { roundRobin } from './round-robin.ts'
import { sharesOf, type Taker } from './shares.ts'

export interface FairTurns {
  /** Runs it at once if no other credential has sent a request lately, else when it is the turn of its caller. */
  run<T>(by: Taker, work: () => Promise<T>): Promise<T>
}

/** ms that a caller counts as one that competes, after its last request. Its write is still applied and polled then. */
const competesFor = 1_000

/** `elapsed`: ms of a clock that never goes back. */
export function fairTurns(atWork: Shared, elapsed: () => number): FairTurns {
  const running = sharesOf(atWork)
  const waiting = roundRobin()
  const callers = competition(elapsed)
  let inLine = 0

  function mayBegin(by: Taker): boolean {
    if (running.take(by, 1)) return true
    if (callers.compete()) return false
    running.force(by, 1)
    return true
  }

  /** Those that wait in line go first: else requests that come later could pass them for ever. */
  function turn(by: Taker): Promise<void> | undefined {
    if (inLine === 0 && mayBegin(by)) return undefined
    inLine += 1
    const mine = new Promise<void>((resolve) => {
      waiting.add(by, () => {
        inLine -= 1
        resolve()
      })
    })
    handOn()
    return mine
  }

  function handOn(): void {
    while (inLine > 0) {
      const begin = waiting.next(mayBegin)
      if (begin === undefined) return
      begin()
    }
  }

  return {
    async run(by, work) {
      callers.note(by)
      await turn(by)
      try {
        return await work()
      } finally {
        running.give(by, 1)
        handOn()
      }
    },
  }
}

function competition(elapsed: () => number) {
  let newest = ''
  let newestAt = Number.NEGATIVE_INFINITY
  let otherAt = Number.NEGATIVE_INFINITY
  return {
    note({ credential }: Taker): void {
      if (credential !== newest) otherAt = newestAt
      newest = credential
      newestAt = elapsed()
    },
    /** Two credentials have asked lately. */
    compete: () => elapsed() - otherAt < competesFor,
  }
}
