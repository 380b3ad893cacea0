/** Simulated time: it stands still while code runs, and jumps to the next timer when all code waits. */
import { ticks } from '../../support/chaos.ts'

export interface Time {
  /** ms since the start. */
  now(): number
  /** Resolves `ms` later. */
  sleep(ms: number): Promise<void>
  /** A call of a real engine is under way: time waits for it. */
  real<T>(work: () => Promise<T>): Promise<T>
  /** Lets time pass until `end` resolves. Rejects if nothing waits for time any more. */
  runUntil(end: Promise<unknown>): Promise<void>
}

interface Timer {
  at: number
  go(): void
}

/** Event-loop turns without a call of an engine, after which all code waits for time. */
const quietTurns = 3

export function simulatedTime(): Time {
  let now = 0
  let calls = 0
  const timers: Timer[] = []

  async function settle(): Promise<void> {
    for (let quiet = 0; quiet < quietTurns; quiet = calls === 0 ? quiet + 1 : 0) await ticks(1)
  }

  return {
    now: () => now,
    sleep: (ms) =>
      new Promise((go) => {
        const timer = { at: now + Math.max(0, ms), go }
        const place = timers.findLastIndex(({ at }) => at <= timer.at)
        timers.splice(place + 1, 0, timer)
      }),
    async real(work) {
      calls += 1
      try {
        return await work()
      } finally {
        calls -= 1
      }
    },
    async runUntil(end) {
      let isOver = false
      const ended = end.finally(() => {
        isOver = true
      })
      ended.catch(() => {})
      for (await settle(); !isOver; await settle()) {
        const next = timers.shift()
        if (next === undefined) throw new Error('nothing waits for time, but the end has not come')
        now = next.at
        next.go()
      }
      await ended
    },
  }
}
