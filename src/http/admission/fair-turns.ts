/**
 * Limits how many requests of each caller run at one time. Without a limit, one caller with a thousand requests delays
 * every other caller: each step of their requests waits until a thousand others had theirs. So if several callers send
 * requests, a few of each run, and the rest wait in a queue. Workspaces take turns, and so do the credentials of each.
 */
import type { Shared } from '../base/limits.ts'
import { roundRobin } from './round-robin.ts'
import { sharesOf, type Taker } from './shares.ts'

export interface FairTurns {
  /** Runs `work` at once if no other credential has sent a request lately. Otherwise it waits for the caller's turn. */
  run<T>(by: Taker, work: () => Promise<T>): Promise<T>
}

/** ms after its last request for which a caller still competes: a worker still applies its write, and it polls. */
const competesFor = 1_000

/** `elapsed`: ms of a clock that never goes back. */
export function fairTurns(atWork: Shared, elapsed: () => number): FairTurns {
  const running = sharesOf(atWork)
  const waiting = roundRobin()
  const callers = competition(elapsed)
  let queued = 0

  function tryBegin(by: Taker): boolean {
    if (running.take(by, 1)) return true
    if (callers.compete()) return false
    running.force(by, 1)
    return true
  }

  /** New requests join the queue if there is one. Otherwise they could overtake the waiting ones for ever. */
  function turn(by: Taker): Promise<void> | undefined {
    if (queued === 0 && tryBegin(by)) return undefined
    queued += 1
    const mine = new Promise<void>((resolve) => {
      waiting.add(by, () => {
        queued -= 1
        resolve()
      })
    })
    waiting.begin(tryBegin)
    return mine
  }

  return {
    async run(by, work) {
      callers.noteRequest(by)
      await turn(by)
      try {
        return await work()
      } finally {
        running.give(by, 1)
        waiting.begin(tryBegin)
      }
    },
  }
}

function competition(elapsed: () => number) {
  let newest = ''
  let newestAt = Number.NEGATIVE_INFINITY
  let otherAt = Number.NEGATIVE_INFINITY
  return {
    noteRequest({ credential }: Taker): void {
      if (credential !== newest) otherAt = newestAt
      newest = credential
      newestAt = elapsed()
    },
    /** Whether two credentials have sent requests lately. */
    compete: () => elapsed() - otherAt < competesFor,
  }
}
