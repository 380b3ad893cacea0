/** What decides how a run may start, besides the run itself: the operator's policy and the executors there are. */
import type { Policy } from '../access/run-policy.ts'

/** The part of an executor that run workers store for other processes. It has no command, no directory and no secret. */
export interface RunnerExecutor {
  name: string
  plans: boolean
  repeatable: boolean
  /** Sessions at once, in one worker. */
  capacity: number
}

export interface RunRules {
  /** undefined: nobody has published one. */
  policy: { version: number; policy: Policy } | undefined
  /** Of all run workers seen within a day. */
  executors: RunnerExecutor[]
  /** Days until a run that awaits approval expires. */
  approvalDays: number
  /** Sessions at once, in one workspace. */
  runsPerWorkspace: number
  /** A webhook is configured: the service sends it a notice when a run awaits approval or has ended. */
  notifies: boolean
}
