/** Works that are done again and again as long as the service runs, each of them once at a time. */
import type { Logger } from 'pino'

export interface Repeating {
  /** Now, and then every `ms`. One that fails is logged as `what`, and tried again when its time has come. */
  every(ms: number, what: string, work: () => Promise<unknown>): void
  /** Begins none any more. Resolves when those under way have ended. */
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
