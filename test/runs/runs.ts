/** Runs of the test's own world, without HTTP and without a run worker: the test submits what a worker would. */
import assert from 'node:assert/strict'
import { expect } from 'vitest'
import { type Actor, serviceActor } from '../../src/access/actor.ts'
import type { Operation } from '../../src/operation.ts'
import type { ReceiptSeen } from '../../src/receipt.ts'
import { activities } from '../../src/records/activity.ts'
import { type RecordOf, records } from '../../src/records/record.ts'
import { type RunPhase, type RunStateDocument, runStateDocuments } from '../../src/records/run.ts'
import type { RunnerExecutor } from '../../src/records/run-rules.ts'
import { startRun } from '../../src/runs/start.ts'
import { beginRun } from '../../src/runs/steps/begin.ts'
import { runEnded } from '../../src/runs/steps/ended.ts'
import { runPlanned } from '../../src/runs/steps/planned.ts'
import { apply, type World, workspace, world } from '../support/apply.ts'
import { ada as adaOfTasks, done, make } from '../tasks/tasks.ts'

export const ada: Actor = { ...adaOfTasks, scopes: [...adaOfTasks.scopes, 'tasks:run', 'tasks:approve'] }
export const bob: Actor = { ...ada, user: 'bob', credential: 'key-of-bob' }
export const eve: Actor = { ...ada, user: 'eve', credential: 'key-of-eve', teams: [] }
export const worker = serviceActor('run', workspace, 'company')

/** It plans, and a lost session is started again. */
export const coder: RunnerExecutor = { name: 'coder', plans: true, repeatable: true, capacity: 2 }
/** It can do neither. */
export const robot: RunnerExecutor = { name: 'robot', plans: false, repeatable: false, capacity: 1 }

/** Everything is allowed, unless the test says otherwise. */
export async function runWorld(executors: RunnerExecutor[] = [coder]): Promise<World> {
  const on = await world()
  on.rules.executors = executors
  on.rules.policy = { version: 1, policy: { default: 'allow', rules: [] } }
  return on
}

export const asks = (on: World) => {
  on.rules.policy = { version: 2, policy: { default: 'require_approval', rules: [] } }
}

/** Starts a run, and returns its id. */
export async function start(on: World, task: string, input: object = {}, actor = ada): Promise<string> {
  return (await done(on, startRun, { id: task, ...input }, actor)).entity?.id as string
}

/** A new task with a run. */
export async function started(on: World, input: object = {}, task: object = {}) {
  const id = await make(on, task)
  return { task: id, run: await start(on, id, input) }
}

/** Submits what a worker or maintain would. The receipt may fail. */
export const submit = <Input>(on: World, operation: Operation<Input>, input: object): Promise<ReceiptSeen> =>
  apply(on, operation, input, worker)

/** Submits it, and expects that it takes effect. */
export async function step<Input>(on: World, operation: Operation<Input>, input: object): Promise<ReceiptSeen> {
  return done(on, operation, input, worker)
}

export const begin = (on: World, run: string, fence = 1, phase: RunPhase = 'run') =>
  step(on, beginRun, { run, fence, phase })
export const plan = (on: World, run: string, fence = 1, text = 'First this, then that.') =>
  step(on, runPlanned, { run, fence, text, steps: ['This.', 'That.'] })
export const succeed = (on: World, run: string, fence = 1, result: object = {}) =>
  step(on, runEnded, { run, fence, error: null, result: { summary: 'It works now.', links: [], ...result } })
export const fail = (on: World, run: string, fence = 1) =>
  step(on, runEnded, { run, fence, result: null, error: { code: 'executor_failed', message: 'It broke.' } })

export async function runRow(on: World, run: string): Promise<RecordOf<'run'>> {
  const row = await on.documents.get(records, run)
  assert(row?.kind === 'run')
  return row
}

export const stateOf = async (on: World, run: string) => (await runRow(on, run)).mutable

export async function taskRow(on: World, task: string): Promise<RecordOf<'task'>> {
  const row = await on.documents.get(records, task)
  assert(row?.kind === 'task')
  return row
}

export async function stateDocument(on: World, run: string): Promise<RunStateDocument> {
  const found = await on.documents.get(runStateDocuments, run)
  assert(found)
  return found
}

/** The activities of a type, the oldest first. */
export async function activitiesOf(on: World, task: string, type: 'run' | 'change') {
  const where = { workspace, audience: { in: ['workspace', 'user:ada', `team:${ada.teams[0]}`] }, task, type }
  const found = await on.documents.find(activities, { where, limit: 1000 })
  return found.sort((a, b) => a.entry - b.entry || (a.id < b.id ? -1 : 1))
}

/** A receipt that failed, by its code and the reason that it gives. */
export function expectRefused(receipt: ReceiptSeen, code: string, details?: object): void {
  expect(receipt, JSON.stringify(receipt.error)).toMatchObject({
    state: 'failed',
    error: { code, ...(details ? { details } : {}) },
  })
}
