/** What run workers publish about themselves every 10 s: their executors, without commands, directories or secrets. */
import type { Collection } from '../../ports/documents.ts'
import type { RunnerExecutor } from '../../records/run-rules.ts'

export interface Runner {
  /** The start of the worker process: the holder of its leases. */
  id: string
  seen_at: string
  executors: RunnerExecutor[]
}

export const runners: Collection<Runner> = {
  name: 'runners',
  fields: { id: 'string', seen_at: 'instant', executors: 'json' },
  unique: [],
  indexes: [['seen_at']],
}
