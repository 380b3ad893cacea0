/** Runs work at intervals while the service runs. A run never starts before the previous one has ended. */
import type { Logger } from 'pino'

export interface Repeating {
  /** Runs `work` now and then every `ms`. A failure is logged with `what`, and the next run is the retry. */
  every(ms: number, what: string, work: () => Promise<unknown>): void
  /** Starts no more runs. Resolves when the current ones have ended. */
  stop(): Promise<void>
}

export function repeating(log: Logger): Repeating {
  const timers: NodeJS.Timeout[] = []
  const running = new Set<Promise<unknown>>()

  return {
    every(ms, what, work) {
      let idle = true
      const once = () => {
        if (!idle) return
        idle = false
        const done = work()
          .catch((error: unknown) => log.error({ err: error }, `${what} failed; it will be retried`))
          .finally(() => {
            idle = true
            running.delete(done)
          })
        running.add(done)
      }
      once()
      timers.push(setInterval(once, ms))
    },
    async stop() {
      for (const timer of timers) clearInterval(timer)
      await Promise.all(running)
    },
  }
}
