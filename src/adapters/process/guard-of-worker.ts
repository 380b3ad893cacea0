/** The guard of a worker, for all its executors. It is started with the first session, and again after it has ended. */
import { type Connection, type GuardProcess, type HeardSession, startGuard } from './guard-process.ts'
import { usualGraceMs } from './processes.ts'

export interface Guard {
  /** Starts the guard if it does not run. Rejects if it can't be started. */
  connect(session: string, heard: HeardSession): Promise<Connection>
  /** Ends all sessions, and the guard. */
  close(): Promise<void>
}

interface Options {
  /** ms between SIGTERM and SIGKILL. */
  graceMs?: number
  /** ms without a session, after which the guard ends. */
  idleMs?: number
  /** The built guard.ts: Node 20 can't run TypeScript. */
  program?: URL
}

export function guardOfWorker({
  graceMs = usualGraceMs,
  idleMs = 60_000,
  program = new URL('./guard.js', import.meta.url),
}: Options = {}): Guard {
  let running: Promise<GuardProcess> | undefined

  function start(): Promise<GuardProcess> {
    const closing = () => {
      if (running === guard) running = undefined
    }
    const guard = startGuard(program, { graceMs, idleMs, closing })
    running = guard
    guard.catch(closing)
    return guard
  }

  return {
    async connect(session, heard) {
      return (await (running ?? start())).connect(session, heard)
    },
    async close() {
      // without a guard there is nothing to close
      const guard = await running?.catch(() => undefined)
      await guard?.close()
    },
  }
}
