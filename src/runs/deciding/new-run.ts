/** Makes a run: it copies its task, asks the policy, and is queued or awaits approval. */
import type { DecideContext } from '../../deciding/context.ts'
import { newRow } from '../../deciding/new-row.ts'
import type { NewRow } from '../../deciding/outcome.ts'
import type { RecordId } from '../../ids.ts'
import { invalid, problem } from '../../problem.ts'
import type { ReceiptEntity } from '../../receipt.ts'
import type { Execution, TaskMutable } from '../../records/body.ts'
import type { Drafts } from '../../records/entry-documents.ts'
import { hasEnded, type RunBody, type RunMode, type RunMutable } from '../../records/run.ts'
import type { RunnerExecutor } from '../../records/run-rules.ts'
import { documentsOf, expiry, isNoticed } from './transition.ts'
import { firstVerdict } from './verdict.ts'

/** How a run was asked for. */
export interface Wanted {
  mode: RunMode
  executor: string | undefined
  instructions: string | null
  /** The call gave them. */
  has_own_instructions: boolean
}

type Given = Partial<Pick<Execution, 'executor' | 'instructions'>> & { mode?: RunMode }

/** What the call leaves out is as the task says. */
export function wantedOf(given: Given, execution: Execution = { mode: 'none' }): Wanted {
  return {
    mode: given.mode ?? (execution.mode === 'none' ? 'auto' : execution.mode),
    executor: given.executor ?? execution.executor,
    instructions: given.instructions ?? execution.instructions ?? null,
    has_own_instructions: given.instructions !== undefined,
  }
}

/** Throws task_closed or run_active. Web calls it for a quick answer, and decide again. */
export function assertStartable({ status, run }: Pick<TaskMutable, 'status' | 'run'>): void {
  if (status === 'done' || status === 'cancelled') {
    throw problem('task_closed', `The task is ${status}. Give it another status to run it.`)
  }
  if (run !== undefined && !hasEnded(run.state)) {
    throw problem('run_active', `Run ${run.number} of this task has not ended. Wait for its end, or cancel it.`, {
      details: { run: { id: run.id, number: run.number, state: run.state } },
    })
  }
}

/** The field of the input that names the executor. */
type ExecutorField = 'executor' | 'execution.executor'

const noExecutor =
  'no executor is configured: set PRECEDENT_CONFIG (docs/runs.md) and restart. If it is set, start a run worker'

/** The executor with this name, or the only one. Throws invalid_request with the names that there are. */
export function chosenExecutor(
  executors: readonly RunnerExecutor[],
  name: string | undefined,
  field: ExecutorField = 'executor',
): RunnerExecutor {
  const [only, ...others] = executors
  const found = name === undefined ? only : executors.find((one) => one.name === name)
  if (found && (name !== undefined || others.length === 0)) return found
  if (only === undefined) throw invalid(field, noExecutor)
  const names = executors.map((one) => one.name).join(', ')
  throw invalid(
    field,
    name === undefined ? `choose an executor: ${names}` : `there is no ${name}: choose one of ${names}`,
  )
}

export interface NewRun {
  row: NewRow
  documents: Drafts
  /** The fields of the task that change with its start. */
  task: Pick<TaskMutable, 'run' | 'status_by'> & Partial<Pick<TaskMutable, 'inbox_status'>>
}

/** For the entity of its receipt. */
export function awaitsIn({ task: { run } }: NewRun): Pick<ReceiptEntity, 'awaits'> {
  return run?.state === 'awaiting_approval' ? { awaits: true } : {}
}

type Context = Omit<DecideContext<unknown>, 'input'>
/** What a run copies from. */
export type CopiedTask = Pick<NewRow, 'record_id' | 'audience' | 'title' | 'text'> & { mutable: TaskMutable }

/** Throws policy_denied, or invalid_request for the executor. The task must be startable. */
export async function newRun(
  context: Context,
  task: CopiedTask,
  wanted: Wanted,
  field?: ExecutorField,
): Promise<NewRun> {
  const rules = await context.runRules()
  const executor = chosenExecutor(rules.executors, wanted.executor, field)
  const body = bodyOf(context, task, wanted, executor)
  const policy = await firstVerdict(context, body, task.audience, rules)
  const mutable = firstState(body, { policy, at: context.at, approvalDays: rules.approvalDays })
  const { audience, title, text } = task
  const id = context.newId()
  const row = newRow(context, {
    record_id: id,
    kind: 'run',
    audience,
    title,
    text,
    // nothing finds a run by its content
    content_hash: '',
    body,
    mutable,
  })
  const { state } = mutable
  const run = { id, number: body.number, state }
  return {
    row,
    documents: await documentsOf(context, { record_id: id, audience, body }, mutable, { from: undefined, why: null }),
    task: { run, status_by: id, ...(isNoticed(state) ? { inbox_status: 'unread' as const } : {}) },
  }
}

function bodyOf(
  { actor, receipt }: Context,
  task: CopiedTask,
  { mode, instructions, has_own_instructions }: Wanted,
  executor: RunnerExecutor,
): RunBody {
  const { labels, project, priority, repo_full_name, decision_ids, status, run } = task.mutable
  return {
    task: task.record_id as RecordId,
    number: (run?.number ?? 0) + 1,
    mode,
    executor: executor.name,
    instructions,
    has_own_instructions,
    labels,
    project,
    priority,
    repo_full_name,
    decision_ids,
    status_before: status,
    requested_by: { user: actor.user, credential: actor.credential },
    trace: receipt.trace,
    plans: executor.plans,
    repeatable: executor.repeatable,
  }
}

interface Start extends Pick<RunMutable, 'policy'> {
  at: string
  approvalDays: number
}

function firstState({ plans }: RunBody, { policy, at, approvalDays }: Start): RunMutable {
  const isAllowed = policy.verdict === 'allow'
  const waits = !isAllowed && !plans
  return {
    state: waits ? 'awaiting_approval' : 'queued',
    phase: isAllowed ? 'run' : 'plan',
    since: at,
    fence: 0,
    begun: { plan: 0, run: 0 },
    policy,
    plan: null,
    approval: null,
    started_at: null,
    ended_at: null,
    expires_at: waits ? expiry(at, approvalDays) : null,
    result: null,
    error: null,
  }
}
