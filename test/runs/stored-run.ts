/** Runs that are written into the store as entries and workers would leave them, in any state. */
import assert from 'node:assert/strict'
import type { RecordId } from '../../src/ids.ts'
import { instant } from '../../src/ports/clock.ts'
import { type RecordOf, records } from '../../src/records/record.ts'
import { type RunBody, type RunMutable, runStateDocuments } from '../../src/records/run.ts'
import { priorityRank } from '../../src/records/task.ts'
import { type Lease, leases } from '../../src/runs/stored/lease.ts'
import { type Milestone, milestoneBatchId, milestones } from '../../src/runs/stored/milestone.ts'
import { type Session, sessionId, sessions } from '../../src/runs/stored/session.ts'
import { type World, workspace } from '../support/apply.ts'

export interface Stored {
  body?: Partial<RunBody>
  mutable?: Partial<RunMutable>
  lease?: Partial<Lease>
}

/** The first run of a task. Returns its id. */
export async function storeRun(on: World, task: string, { body, mutable, lease }: Stored = {}): Promise<RecordId> {
  const row = await taskRow(on, task)
  const id = on.clock.id() as RecordId
  const run: RecordOf<'run'> = {
    ...row,
    id,
    record_id: id,
    kind: 'run',
    feed: 'none',
    body: { ...bodyOf(row), ...body },
    mutable: { ...firstState(instant(on.clock)), ...mutable },
  }
  const { workspace } = row
  assert(await on.documents.insert(leases, { id, workspace, fence: 0, beat: 0, holder: null, open: 1, ...lease }))
  assert(await on.documents.insert(records, run))
  const { state } = run.mutable
  const task_run = { ...row.mutable, run: { id, number: run.body.number, state } }
  await on.documents.update(records, row.id, { set: { mutable: task_run } })
  await moveRun(on, run, {})
  return id
}

/** Brings a stored run into another state, and its lease. */
export async function change(on: World, id: RecordId, mutable: Partial<RunMutable>, lease: Partial<Lease> = {}) {
  const run = (await on.documents.get(records, id)) as RecordOf<'run'>
  if (Object.keys(lease).length > 0) await on.documents.update(leases, id, { set: lease })
  await moveRun(on, run, mutable)
}

async function moveRun(on: World, run: RecordOf<'run'>, set: Partial<RunMutable>): Promise<void> {
  const mutable = { ...run.mutable, ...set }
  await on.documents.update(records, run.id, { set: { mutable } })
  const { state, phase, since, fence, expires_at } = mutable
  const { id, workspace, audience, body } = run
  entries += 1
  const place = state === 'planning' || state === 'running' ? 'occupied' : 'free'
  const standing = { state, phase, since, fence, expires_at: expires_at ?? '', place } as const
  const { task, executor, priority } = body
  const document = { id: id as RecordId, workspace, audience, task, executor, priority: priorityRank(priority) }
  await on.documents.upsertIfNewer(runStateDocuments, [{ ...document, ...standing, entry: entries }], 'entry')
}
let entries = 0

async function taskRow(on: World, task: string): Promise<RecordOf<'task'>> {
  const row = await on.documents.get(records, task)
  assert(row?.kind === 'task')
  return row
}

function bodyOf({ record_id, mutable, created_by }: RecordOf<'task'>): RunBody {
  const { labels, project, priority, repo_full_name, decision_ids, status, execution } = mutable
  return {
    ...{ task: record_id, number: 1, mode: 'auto', executor: 'coder', labels, project, priority, repo_full_name },
    ...{ decision_ids, instructions: execution?.instructions ?? null, has_own_instructions: false },
    status_before: status,
    requested_by: { user: created_by, credential: 'key' },
    trace: null,
    plans: true,
    repeatable: false,
  }
}

function firstState(since: string): RunMutable {
  return {
    ...{ state: 'queued', phase: 'run', since, fence: 0, begun: { plan: 0, run: 0 }, plan: null, approval: null },
    policy: { verdict: 'allow', rule: 'all', because: ['the rule "all" fits'], self_approval: false, version: 1 },
    ...{ started_at: null, ended_at: null, expires_at: null, result: null, error: null },
  }
}

/** Stores a batch whose first milestone has this number. */
export async function report(on: World, run: RecordId, first: number, items: readonly Partial<Milestone>[]) {
  const at = instant(on.clock)
  const { audience } = (await on.documents.get(records, run, ['audience'])) as RecordOf<'run'>
  const whole = items.map((one, n): Milestone => {
    return { at, type: 'milestone', title: `step ${first + n}`, session_id: sessionId(run, 1), ...one }
  })
  const batch = { id: milestoneBatchId(run, first), workspace, audience, run, first, fence: 1, items: whole, at }
  assert(await on.documents.insert(milestones, batch))
}

export async function storeSession(on: World, run: RecordId, fence: number, more: Partial<Session> = {}) {
  const { audience } = (await on.documents.get(records, run, ['audience'])) as RecordOf<'run'>
  const session: Session = {
    ...{ id: sessionId(run, fence), workspace, audience, run, fence, phase: 'run', state: 'running' },
    ...{ worker: 'worker-1', host: 'host', started_at: instant(on.clock), ended_at: null, exit_code: null, output: '' },
    ...more,
  }
  assert(await on.documents.insert(sessions, session))
}
