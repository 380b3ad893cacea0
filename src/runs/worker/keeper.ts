/**
 * Keeps the lease of one session (V2 4.4): renews it every 5 s, and looks each time whether the run still wants the
 * session. The session lives at most 25 s after the last renewal was sent. Maintain takes the lease after 60 s, so that
 * two sessions of a run never live at once, whatever was frozen or unreachable.
 */
import type { ExecutorSession } from '../../ports/executor.ts'
import { EngineUnavailable } from '../../ports/unavailable.ts'
import { hasEnded } from '../../records/run.ts'
import { type Held, renewLease } from '../stored/lease.ts'
import type { RunWorkerPorts } from './ports.ts'
import { readRun } from './run-row.ts'

/** ms. */
const renewEvery = 5_000
/** ms from the moment at which a renewal was SENT. With 10 s for the end of a process, 35 s of the lease's 60. */
const sessionLives = 25_000

/**
 * lost: the lease has gone, so that nothing may be submitted. ended: the run has ended, such as by task.cancel. given up:
 * this worker stops.
 */
export type Over = 'lost' | 'ended' | 'given up'

export interface Keeper {
  readonly held: Held
  /** An instant of `clock.elapsed()`. */
  until(): number
  /** undefined: the session may go on. `lost` is final. */
  over(): Over | undefined
  /** The session from now on is extended with the lease, and ended if it is over. */
  attach(session: ExecutorSession): void
  giveUp(): void
  /** Renews no more, because the lease is about to be given back. */
  stop(): void
}

/** `sent`: when the take was sent. */
export function keepLease(ports: RunWorkerPorts, held: Held, sent: number): Keeper {
  const { documents, clock, log } = ports
  let until = sent + sessionLives
  let over: Over | undefined
  let session: ExecutorSession | undefined
  let isStopped = false

  function end(why: Over): void {
    if (over === undefined || why === 'lost') over = why
    session?.end()
  }

  async function renew(): Promise<void> {
    const sentAt = clock.elapsed()
    const isRenewed = await renewLease(documents, held)
    // stopped meanwhile: it may have been given back
    if (isStopped) return
    if (!isRenewed) {
      end('lost')
      return
    }
    until = sentAt + sessionLives
    session?.extend(until)
    const run = await readRun(documents, held.id)
    if (run && (hasEnded(run.mutable.state) || run.mutable.fence > held.fence)) end('ended')
  }

  async function keep(): Promise<void> {
    while (!isStopped && over !== 'lost') {
      await clock.sleep(renewEvery)
      if (isStopped) return
      await renew().catch((error: unknown) => {
        // no answer counts for nothing: the session ends by itself if none comes in time
        if (!(error instanceof EngineUnavailable)) log.error({ err: error, run: held.id }, 'could not renew a lease')
      })
    }
  }
  void keep()

  return {
    held,
    until: () => until,
    over: () => over,
    attach(made) {
      session = made
      if (over !== undefined) made.end()
    },
    giveUp: () => end('given up'),
    stop() {
      isStopped = true
    },
  }
}
