/** What a run worker depends on. */
import type { Scope } from '../../access/actor.ts'
import type { Policy } from '../../access/run-policy.ts'
import type { JournalPorts } from '../../journal/ports.ts'
import type { Reads } from '../../operation.ts'
import type { Executor } from '../../ports/executor.ts'
import type { RunnerExecutor } from '../../records/run-rules.ts'
import type { Masker } from './masker.ts'

export interface RunWorkerPorts extends JournalPorts {
  /** For the brief and the enrichment that an executor gets. */
  reads: Reads
  executors: readonly RunExecutor[]
  /** The policy of this worker's own file. undefined: it has none, and the published one alone counts. */
  policy: Policy | undefined
  masker: Masker
  /** This start of a worker process: the holder of its leases. */
  holder: string
  /** The name of this machine. */
  host: string
}

/** An executor of the operator's file, ready to start sessions. */
export interface RunExecutor extends RunnerExecutor {
  executor: Executor
  timeLimitMs: number
  /** The most that the key of a session may do. */
  scopes: readonly Scope[]
  /** It has no exit code: without a result, its session failed. */
  needsResult: boolean
}
