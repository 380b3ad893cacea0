/** Opens the executors that the operator configured. */
import type { Clock } from '../ports/clock.ts'
import type { RunExecutor } from '../runs/worker/ports.ts'
import type { Close, Opened } from './opening.ts'

/** What a worker needs to have sessions on this machine. */
export interface SessionPorts {
  executors: readonly RunExecutor[]
  /** Ends what workers that died have left on this machine. `isBelieved`: true for sessions that it doesn't know. */
  endLeftovers(isBelieved: (session: string, hasGuard: boolean) => Promise<boolean>): Promise<void>
}

/** Starts nothing yet: a guard of processes begins with the first session. */
export async function openSessions(
  { operator, passed = {}, publicUrl = '' }: Opened,
  clock: Clock,
  closing: Close[],
): Promise<{ sessions?: SessionPorts }> {
  if (operator === undefined || operator.executors.length === 0) return {}
  const [{ guardOfWorker }, { processExecutor }, { endLeftovers }, { httpExecutor }] = await Promise.all([
    import('../adapters/process/guard-of-worker.ts'),
    import('../adapters/process/executor.ts'),
    import('../adapters/process/leftovers.ts'),
    import('../adapters/http-executor/executor.ts'),
  ])
  const guard = guardOfWorker()
  closing.push(() => guard.close())
  const executors = operator.executors.map((settings): RunExecutor => {
    const { name, plans, repeatable, concurrency: capacity, timeLimitMs, scopes, type } = settings
    const executor =
      type === 'http'
        ? httpExecutor(settings, clock)
        : processExecutor(settings, { publicUrl, clock, variables: passed, guard })
    closing.push(() => executor.close())
    return { name, plans, repeatable, capacity, timeLimitMs, scopes, executor, needsResult: type === 'http' }
  })
  return { sessions: { executors, endLeftovers } }
}
