/**
 * How a run changes: its row, the document by which workers find it, an activity of its task, a notice, and its task,
 * which follows it. All of that is in one entry, so that no reader sees one without the others.
 */
import assert from 'node:assert/strict'
import { userOfService } from '../../access/actor.ts'
import type { DecideContext } from '../../deciding/context.ts'
import { entityOf, nothingChanged, type Outcome, type RowUpdate } from '../../deciding/outcome.ts'
import { type StateAtHead, wholeOf } from '../../deciding/state-at-head.ts'
import type { RecordId } from '../../ids.ts'
import type { ReceiptEntity } from '../../receipt.ts'
import type { Activity, RunStep } from '../../records/activity.ts'
import type { TaskMutable } from '../../records/body.ts'
import type { Draft, Drafts } from '../../records/entry-documents.ts'
import type { RecordOf } from '../../records/record.ts'
import { hasEnded, type RunMutable } from '../../records/run.ts'
import { priorityRank } from '../../records/task.ts'
import type { TaskStatus } from '../../records/task-values.ts'
import { type NoticeType, noticeTypes } from '../stored/notice.ts'

export type Run = RecordOf<'run'>
type RunCopy = Pick<Run, 'record_id' | 'audience' | 'body'>
type Task = RecordOf<'task'>

export interface Moving extends Pick<DecideContext<unknown>, 'state' | 'at' | 'newId' | 'runRules'> {
  actor: Pick<DecideContext<unknown>['actor'], 'user'>
}

export interface Step {
  set: Partial<RunMutable>
  /** Why, in words. The activity of the task shows it. */
  why?: string | null
  /** The status of the task that the result of the run names. */
  taskStatus?: TaskStatus | undefined
}

/** The changes of a run and of its task. */
export async function moveRun(context: Moving, run: Run, step: Step): Promise<Outcome> {
  const moved = await movedRun(context, run, step)
  const task = await taskOf(context.state, run)
  const followed = followedBy(context, task, run, moved.mutable, step)
  const activities = [...(moved.documents.activities ?? []), ...followed.activities]
  return {
    ...nothingChanged,
    entity: entityOfRun(run, run.body.task),
    changed: [moved.changed, followed.changed],
    documents: { ...moved.documents, activities },
  }
}

/** A run as a receipt names it. */
export function entityOfRun(run: Parameters<typeof entityOf>[0], task: RecordId): ReceiptEntity {
  return { ...entityOf(run), task }
}

interface Moved {
  mutable: RunMutable
  changed: RowUpdate
  documents: Drafts
}

/** The changes of the run alone. */
export async function movedRun(context: Moving, run: Run, { set, why = null }: Step): Promise<Moved> {
  const mutable = await nextOf(context, run.mutable, set)
  const { state: from } = run.mutable
  const documents = await documentsOf(context, run, mutable, { from, why })
  const changed = { id: run.id, set: { kind: 'run' as const, mutable, updated_at: context.at } }
  return { mutable, changed, documents }
}

/** The fields that follow from the state. */
async function nextOf({ at, runRules }: Moving, before: RunMutable, set: Partial<RunMutable>): Promise<RunMutable> {
  const after = { ...before, ...set }
  if (isSameState(before, after)) return after
  const expires_at = after.state === 'awaiting_approval' ? expiry(at, (await runRules()).approvalDays) : null
  return { ...after, since: at, expires_at, ended_at: hasEnded(after.state) ? at : null }
}

function isSameState(before: RunMutable, after: RunMutable): boolean {
  return before.state === after.state && before.phase === after.phase
}

const day = 24 * 60 * 60_000

export function expiry(at: string, days: number): string {
  return new Date(Date.parse(at) + days * day).toISOString()
}

interface Before {
  /** undefined: the run is new. */
  from: RunMutable['state'] | undefined
  why: string | null
}

/** What an outcome carries with a run in a new state. */
export async function documentsOf(
  context: Moving,
  run: RunCopy & { mutable?: RunMutable },
  after: RunMutable,
  { from, why }: Before,
): Promise<Drafts> {
  const run_states = [stateDocumentOf(run, after)]
  // a higher fence alone is nothing that a reader of the task would understand
  if (from !== undefined && run.mutable && isSameState(run.mutable, after)) return { run_states }
  const { state, phase } = after
  const step: RunStep = { id: run.record_id, number: run.body.number, ...(from ? { from } : {}), state, phase }
  const { at, newId, actor } = context
  const activity: Draft<'activities'> = {
    ...activityOf(run, { id: newId(), type: 'run', at, by: actor.user }),
    text: why,
    run: step,
  }
  const isTold = isNoticed(state) && (await context.runRules()).notifies
  const notice = { id: newId(), run: run.record_id, type: state as NoticeType, at, due: at, tries: 0 }
  return { run_states, activities: [activity], ...(isTold ? { notices: [notice] } : {}) }
}

/** States that a person should look at. */
export function isNoticed(state: RunMutable['state']): state is NoticeType {
  return (noticeTypes as readonly string[]).includes(state)
}

function stateDocumentOf({ record_id, audience, body }: RunCopy, mutable: RunMutable): Draft<'run_states'> {
  const { state, phase, since, fence, expires_at } = mutable
  return {
    id: record_id,
    audience,
    task: body.task,
    executor: body.executor,
    state,
    phase,
    place: state === 'planning' || state === 'running' ? 'occupied' : 'free',
    priority: priorityRank(body.priority),
    since,
    fence,
    expires_at: expires_at ?? '',
  }
}

async function taskOf(state: StateAtHead, { body }: Run): Promise<Task> {
  const found = await state.record(body.task)
  assert(found, 'the task of a run exists: rows are never deleted')
  const task = await wholeOf(state, found)
  assert(task.kind === 'task', 'a record keeps its kind')
  return task
}

/** The change of the task, with its activity. */
function followedBy({ at, newId }: Moving, task: Task, run: Run, after: RunMutable, { taskStatus }: Step) {
  const { record_id: id, body } = run
  assert(task.mutable.run?.id === id, 'only the newest run of a task changes')
  const mutable: TaskMutable = { ...task.mutable, run: { id, number: body.number, state: after.state } }
  if (isNoticed(after.state)) mutable.inbox_status = 'unread'
  const status = task.mutable.status_by === id ? statusAfter(run, after, taskStatus) : undefined
  const from = task.mutable.status
  if (status === undefined || status === from) {
    return { changed: { id: task.id, set: { kind: 'task' as const, mutable, updated_at: at } }, activities: [] }
  }
  const revision = task.revision + 1
  const set = { kind: 'task' as const, mutable: { ...mutable, status }, updated_at: at, revision }
  const change: Draft<'activities'> = {
    ...activityOf(run, { id: newId(), type: 'change', at, by: userOfService('run') }),
    revision,
    changes: [{ field: 'status', from, to: status }],
  }
  return { changed: { id: task.id, set }, activities: [change] }
}

/** undefined: the run says nothing of the status of its task. */
function statusAfter({ body, mutable }: Run, after: RunMutable, named: TaskStatus | undefined): TaskStatus | undefined {
  switch (after.state) {
    case 'succeeded':
      return named ?? 'done'
    case 'failed':
      return 'blocked'
    case 'cancelled':
    case 'expired':
      return body.status_before
    default:
      return mutable.started_at === null && after.started_at !== null ? 'in_progress' : undefined
  }
}

function activityOf(
  { audience, body }: RunCopy,
  made: Pick<Activity, 'id' | 'type' | 'at' | 'by'>,
): Draft<'activities'> {
  return { ...made, audience, task: body.task, text: null, revision: null, changes: null, run: null }
}
