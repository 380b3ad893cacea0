/** A run: one execution of a task. Its row, and the document by which workers and decide find it. */
import type { PolicyVerdict } from '../access/run-policy.ts'
import type { Audience, RecordId, WorkspaceId } from '../ids.ts'
import type { Collection } from '../ports/documents.ts'
import type { TaskPriority, TaskStatus } from './task-values.ts'

export const endedRunStates = ['succeeded', 'failed', 'cancelled', 'expired'] as const
export const activeRunStates = ['queued', 'planning', 'awaiting_approval', 'running'] as const
export const runStates = [...activeRunStates, ...endedRunStates] as const
export type RunState = (typeof runStates)[number]

/** What a session does: plan, or carry out. It tells the two meanings of `queued` apart. */
export const runPhases = ['plan', 'run'] as const
export type RunPhase = (typeof runPhases)[number]

/** plan: always plans and waits for approval. auto: the policy decides. */
export const runModes = ['plan', 'auto'] as const
export type RunMode = (typeof runModes)[number]

/**
 * The row of a run has the audience of its task. Its title and text are the name and the description of the task at the
 * start. The policy, the plan, the approval and the executor see this copy alone.
 */
export interface RunBody {
  task: RecordId
  /** Of the runs of its task, from 1. */
  number: number
  mode: RunMode
  /** Its name in the operator's file. */
  executor: string
  instructions: string | null
  /** They were given when it was started. Otherwise they are a copy of those of the task. */
  has_own_instructions: boolean
  labels: string[]
  project: string | null
  priority: TaskPriority
  repo_full_name: string | null
  decision_ids: RecordId[]
  /** Of the task at the start. It gets this status again if the run is cancelled or expires. */
  status_before: TaskStatus
  requested_by: { user: string; credential: string }
  /** Of the request that started it, so that the log lines of all its processes can be found. null: it had none. */
  trace: string | null
  /** Copies of what the executor could do at the start. */
  plans: boolean
  repeatable: boolean
}

export interface RunMutable {
  state: RunState
  phase: RunPhase
  /** When it came into this state. */
  since: string
  /** The fence of the session that is believed, or that was believed last. 0: there was none. */
  fence: number
  /** How often each phase has begun. A session that its worker gave up when it stopped does not count. */
  begun: Record<RunPhase, number>
  policy: RunPolicy
  /** `revision` counts the plans of this run from 1. */
  plan: RunPlan | null
  approval: { by: string; at: string; note: string | null } | null
  started_at: string | null
  ended_at: string | null
  /** Only while it awaits approval. */
  expires_at: string | null
  result: RunResult | null
  error: RunError | null
}

/** The verdict. `because` also names an open question that blocks a decision of the task. */
export interface RunPolicy extends PolicyVerdict {
  /** Of the policy that decided; 0: there was none. */
  version: number
}

export interface RunPlan {
  revision: number
  text: string
  steps: string[]
  at: string
}

export interface RunResult {
  summary: string
  links: string[]
}

export interface RunError {
  code: string
  message: string
  details: Record<string, unknown> | null
}

/** What the row of a task holds of its newest run. */
export interface TaskRun {
  id: RecordId
  number: number
  state: RunState
}

export function hasEnded(state: RunState): boolean {
  return (endedRunStates as readonly string[]).includes(state)
}

/** One document for each run, carried by the outcome that changes the run. */
export interface RunStateDocument {
  /** The run. */
  id: RecordId
  workspace: WorkspaceId
  audience: Audience
  task: RecordId
  executor: string
  state: RunState
  phase: RunPhase
  /** occupied: planning or running, which counts for the bound of the workspace. */
  place: 'occupied' | 'free'
  /** priorityRank of the copy: the most urgent first. */
  priority: number
  /** When it came into this state. */
  since: string
  fence: number
  /** '': it does not await approval. */
  expires_at: string
  /** The number of the entry that changed it last. */
  entry: number
}

export const runStateDocuments: Collection<RunStateDocument> = {
  name: 'run_states',
  fields: {
    id: 'string',
    workspace: 'interned',
    audience: 'interned',
    task: 'string',
    executor: 'string',
    state: 'string',
    phase: 'string',
    place: 'string',
    priority: 'integer',
    since: 'instant',
    fence: 'integer',
    expires_at: 'string',
    entry: 'integer',
  },
  unique: [],
  indexes: [
    // workers: the queued runs of an executor, the most urgent and oldest first
    ['executor', 'state', 'priority', 'since', 'id'],
    // maintain and metrics: the runs of a state, the oldest first
    ['state', 'since', 'id'],
    // decide: how many places of the workspace are occupied; web: what the caller sees of it
    ['workspace', 'place'],
    ['workspace', 'audience', 'executor', 'state', 'priority', 'since', 'id'],
    // the same for an admin; and a restore: the runs of a workspace that have not ended
    ['workspace', 'state', 'executor', 'priority', 'since', 'id'],
  ],
}
