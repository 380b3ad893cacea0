import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { receipts } from '../../src/receipt.ts'
import { approveRun } from '../../src/runs/approve.ts'
import { cancelRun } from '../../src/runs/cancel.ts'
import { promise, quiet, type World } from '../support/apply.ts'
import { change, done, get, make } from '../tasks/tasks.ts'
import {
  activitiesOf,
  ada,
  asks,
  begin,
  bob,
  eve,
  plan,
  robot,
  runRow,
  runWorld,
  start,
  started,
  stateDocument,
  stateOf,
  succeed,
  taskRow,
} from './runs.ts'

let on: World
beforeEach(async () => {
  on = await runWorld()
  asks(on)
})
afterEach(() => on.close())

/** A run that awaits approval of its first plan. */
async function planned(input: object = {}, task: object = {}) {
  const made = await started(on, input, task)
  await begin(on, made.run, 1, 'plan')
  await plan(on, made.run)
  return made
}
const approve = (task: string, plan_revision = 1, actor = bob, more: object = {}) =>
  done(on, approveRun, { id: task, plan_revision, ...more }, actor)
/** Refused when it is accepted. */
const refused = (task: string, plan_revision = 1, actor = bob) =>
  expect(promise(on, approveRun, { id: task, plan_revision }, actor)).rejects

describe('an approval', () => {
  it('of the current plan queues the run to be carried out', async () => {
    const { task, run } = await planned()
    const receipt = await approve(task, 1, bob, { note: 'Go on.' })
    expect(receipt).toMatchObject({ format: 2, entity: { type: 'run', id: run, task } })
    expect(await stateOf(on, run)).toMatchObject({
      ...{ state: 'queued', phase: 'run', expires_at: null, plan: { revision: 1 }, ended_at: null },
      approval: { by: 'bob', at: expect.any(String), note: 'Go on.' },
    })
    expect(await stateDocument(on, run)).toMatchObject({ state: 'queued', phase: 'run', expires_at: '' })
    expect((await activitiesOf(on, task, 'run')).at(-1)).toMatchObject({
      ...{ by: 'bob', text: 'Go on.' },
      run: { id: run, number: 1, from: 'awaiting_approval', state: 'queued', phase: 'run' },
    })
  })

  it('of a run without a plan names revision 0', async () => {
    on.rules.executors = [robot]
    const { task, run } = await started(on)
    await refused(task, 1).toMatchObject({ code: 'plan_changed', details: { plan_revision: 0 } })
    await approve(task, 0)
    expect(await stateOf(on, run)).toMatchObject({ state: 'queued', phase: 'run' })
  })

  it('of another plan, or of a run that does not wait, is refused', async () => {
    const { task } = await planned()
    await refused(task, 2).toMatchObject({ code: 'plan_changed', details: { state: 'awaiting_approval' } })
    await approve(task)
    await refused(task).toMatchObject({ code: 'plan_changed', details: { state: 'queued' } })
    await done(on, cancelRun, { id: task }, ada)
    await refused(task).toMatchObject({ code: 'run_ended', details: { state: 'cancelled' } })
  })

  it('is decided again: of two, one approves', async () => {
    const { task } = await planned()
    const both = [1, 2].map(() => promise(on, approveRun, { id: task, plan_revision: 1 }, bob))
    const ids = (await Promise.all(both)).map(({ id }) => id)
    await quiet(on)
    const ended = await Promise.all(ids.map((id) => on.documents.get(receipts, id, ['state', 'error'])))
    expect(ended.map((one) => one?.state).sort()).toEqual(['applied', 'failed'])
    expect(ended.find((one) => one?.state === 'failed')?.error).toMatchObject({ code: 'plan_changed' })
  })

  it.each([
    ['user', { user: 'ada', credential: 'another-key' }],
    ['credential', { user: 'key:key-of-ada', credential: 'key-of-ada' }],
  ])('by the same %s that started the run is refused, now and when it is decided', async (_, same) => {
    const { task, run } = await planned()
    await refused(task, 1, { ...ada, ...same }).toMatchObject({ code: 'self_approval' })
    const receipt = await promise(on, approveRun, { id: task, plan_revision: 1 }, bob)
    const actor = { credential: same.credential, user: same.user, teams: [] }
    await on.documents.update(receipts, receipt.id, { set: { actor } })
    await quiet(on)
    expect(await on.documents.get(receipts, receipt.id, ['error'])).toMatchObject({ error: { code: 'self_approval' } })
    expect((await stateOf(on, run)).state).toBe('awaiting_approval')
  })

  it('by who started the run is accepted if the rule says so', async () => {
    const rules = [{ name: 'own', when: {}, verdict: 'require_approval' as const, self_approval: true }]
    on.rules.policy = { version: 1, policy: { default: 'deny', rules } }
    const { task, run } = await planned()
    await approve(task, 1, ada)
    expect((await stateOf(on, run)).state).toBe('queued')
  })

  it('by the key of a session is refused, whatever its scopes are', async () => {
    const { task } = await planned()
    await refused(task, 1, { ...bob, isSession: true }).toMatchObject({
      code: 'insufficient_scope',
      details: { required_scope: 'tasks:approve' },
    })
  })

  it('needs the scope tasks:approve, a task that the caller sees, and one that ran', async () => {
    const { task } = await planned({}, { visibility: { scope: 'private' } })
    await refused(task, 1, { ...bob, scopes: ['tasks:run', 'tasks:write', 'tasks:read'] }).toMatchObject({
      code: 'insufficient_scope',
    })
    await refused(task, 1, eve).toMatchObject({ code: 'not_found' })
    await refused(await make(on)).toMatchObject({ code: 'not_found', message: 'This task has never been run.' })
  })
})

describe('cancelling', () => {
  it('ends a run at once, and gives the task the status of before', async () => {
    const { task, run } = await started(on, {}, { status: 'blocked' })
    await begin(on, run, 1, 'plan')
    expect(await get(on, task)).toMatchObject({ status: 'in_progress', revision: 2 })
    const receipt = await done(on, cancelRun, { id: task, reason: 'Too early.' }, ada)
    expect(receipt).toMatchObject({ format: 2, entity: { type: 'run', id: run } })
    const { updated_at, mutable } = await runRow(on, run)
    expect(mutable).toMatchObject({ state: 'cancelled', ended_at: updated_at, since: updated_at, error: null })
    expect(await stateDocument(on, run)).toMatchObject({ state: 'cancelled', place: 'free' })
    expect(await get(on, task)).toMatchObject({ status: 'blocked', revision: 3, run: { state: 'cancelled' } })
    expect((await activitiesOf(on, task, 'run')).at(-1)).toMatchObject({
      ...{ by: 'ada', text: 'Too early.' },
      run: { from: 'planning', state: 'cancelled' },
    })
    expect((await activitiesOf(on, task, 'change')).at(-1)).toMatchObject({
      ...{ by: 'precedent:run', revision: 3 },
      changes: [{ field: 'status', from: 'in_progress', to: 'blocked' }],
    })
  })

  it('is refused for a run that has ended, now and when it is decided', async () => {
    const { task } = await planned()
    const both = [1, 2].map(() => promise(on, cancelRun, { id: task }, ada))
    const ids = (await Promise.all(both)).map(({ id }) => id)
    await quiet(on)
    const ended = await Promise.all(ids.map((id) => on.documents.get(receipts, id, ['error'])))
    expect(ended.flatMap((one) => one?.error?.code ?? [])).toEqual(['run_ended'])
    await expect(promise(on, cancelRun, { id: task }, ada)).rejects.toMatchObject({ code: 'run_ended' })
  })

  it('of a task that the caller does not see, or that never ran, is refused as not found', async () => {
    const { task } = await started(on, {}, { visibility: { scope: 'private' } })
    for (const [id, actor] of [[task, eve] as const, [await make(on), ada] as const]) {
      await expect(promise(on, cancelRun, { id }, actor)).rejects.toMatchObject({ code: 'not_found' })
    }
  })
})

describe('a task that is cancelled', () => {
  it('cancels its run, and keeps its new status', async () => {
    const { task, run } = await started(on)
    await begin(on, run, 1, 'plan')
    await change(on, task, { status: 'cancelled', labels: ['late'] })
    expect(await stateOf(on, run)).toMatchObject({ state: 'cancelled', ended_at: expect.any(String) })
    expect(await stateDocument(on, run)).toMatchObject({ state: 'cancelled', place: 'free' })
    const { mutable, revision } = await taskRow(on, task)
    expect(mutable).toMatchObject({ status: 'cancelled', run: { id: run, state: 'cancelled' }, labels: ['late'] })
    expect(mutable).not.toHaveProperty('status_by')
    expect(revision).toBe(3)
    expect((await activitiesOf(on, task, 'run')).at(-1)).toMatchObject({ by: 'ada', run: { state: 'cancelled' } })
    expect((await activitiesOf(on, task, 'change')).at(-1)).toMatchObject({ by: 'ada', revision: 3 })
  })

  it('leaves a run alone that has ended', async () => {
    on.rules.policy = undefined
    const { task, run } = await planned()
    await approve(task)
    await begin(on, run, 2)
    await succeed(on, run, 2, { task_status: 'todo' })
    await change(on, task, { status: 'cancelled' })
    expect(await stateOf(on, run)).toMatchObject({ state: 'succeeded' })
  })

  it('in any other status keeps its run', async () => {
    const { task, run } = await started(on)
    await change(on, task, { status: 'done' })
    expect(await stateOf(on, run)).toMatchObject({ state: 'queued' })
    expect((await taskRow(on, task)).mutable).not.toHaveProperty('status_by')
  })
})

it('a change of other fields leaves it to the run to change the status', async () => {
  const task = await make(on)
  const run = await start(on, task)
  await change(on, task, { name: 'Renamed', status: 'todo' })
  expect((await taskRow(on, task)).mutable).toMatchObject({ status_by: run, run: { id: run } })
})
