/** What a run worker does at intervals, and how it stops. */
import type { RunnerExecutor } from '../../records/run-rules.ts'
import { isBelieved } from './believed.ts'
import { openMasker } from './masker.ts'
import type { RunWorkerPorts } from './ports.ts'
import { publishRunner } from './publish-runner.ts'
import { runWorker } from './worker.ts'

type Given = Omit<RunWorkerPorts, 'masker'> & {
  endLeftovers(isBelieved: (session: string, hasGuard: boolean) => Promise<boolean>): Promise<void>
}
type Every = (ms: number, what: string, work: () => Promise<unknown>) => void

/** ms. */
const lookEvery = 5_000
const publishEvery = 10_000
/** Another worker of this machine may die with its guard. What is left must end before the lease does, after 60 s. */
const endLeftoversEvery = 20_000
/** ms. A program that is ended may take 10 s, and then its run is given back. */
const endingTakes = 15_000

export interface RunWork {
  /** Resolves after the first attempt to publish its executors, even if it failed: the next attempt follows. */
  announced: Promise<void>
  /** Looks for queued runs at once. */
  look(): Promise<void>
  /** Takes no more. Resolves when no session is left, after `ms` at the latest. */
  stop(ms: number): Promise<void>
}

export function workOnRuns(given: Given, every: Every): RunWork {
  const { documents, clock, executors, holder: id } = given
  const masker = openMasker()
  const worker = runWorker({ ...given, masker })
  const published: RunnerExecutor[] = [...executors]
  let announce = () => {}
  const announced = new Promise<void>((resolve) => (announce = resolve))
  every(publishEvery, 'publishing executors', () =>
    publishRunner({ documents, clock }, { id, executors: published }).finally(announce),
  )
  every(lookEvery, 'looking for queued runs', worker.look)
  every(endLeftoversEvery, 'ending left sessions', () =>
    given.endLeftovers((session, hasGuard) => isBelieved(documents, session, hasGuard)),
  )
  return {
    announced,
    look: worker.look,
    async stop(ms) {
      if (worker.isIdle()) await worker.stop(0)
      else await Promise.race([worker.stop(Math.max(0, ms - endingTakes)), clock.sleep(ms)])
      await masker.close()
    },
  }
}
