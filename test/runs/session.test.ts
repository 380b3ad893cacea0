import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { recordDecision } from '../../src/decisions/record.ts'
import { approveRun } from '../../src/runs/approve.ts'
import { cancelRun } from '../../src/runs/cancel.ts'
import { beginRun } from '../../src/runs/steps/begin.ts'
import { runEnded } from '../../src/runs/steps/ended.ts'
import { expireRun } from '../../src/runs/steps/expire.ts'
import { runLost } from '../../src/runs/steps/lost.ts'
import { runPlanned } from '../../src/runs/steps/planned.ts'
import { notices } from '../../src/runs/stored/notice.ts'
import { rows, type World } from '../support/apply.ts'
import { change, done, get } from '../tasks/tasks.ts'
import {
  activitiesOf,
  ada,
  asks,
  begin,
  bob,
  coder,
  expectRefused,
  fail,
  plan,
  robot,
  runRow,
  runWorld,
  start,
  started,
  stateDocument,
  stateOf,
  step,
  submit,
  succeed,
} from './runs.ts'

let on: World
beforeEach(async () => {
  on = await runWorld()
})
afterEach(() => on.close())

const ended = { result: null, error: { code: 'executor_failed', message: 'It broke.' } }
const planning = async () => {
  asks(on)
  const made = await started(on)
  await begin(on, made.run, 1, 'plan')
  return made
}
const running = async (task: object = {}) => {
  const made = await started(on, {}, task)
  await begin(on, made.run)
  return made
}
const waiting = async () => {
  const made = await planning()
  await plan(on, made.run)
  return made
}

describe('run.begin', () => {
  it.each(['plan', 'run'] as const)('begins a session of phase %s, and the task is in progress', async (phase) => {
    if (phase === 'plan') asks(on)
    const { task, run } = await started(on)
    await begin(on, run, 4, phase)
    const { updated_at, mutable } = await runRow(on, run)
    const state = phase === 'plan' ? 'planning' : 'running'
    const begun = { plan: 0, run: 0, [phase]: 1 }
    expect(mutable).toMatchObject({ state, phase, fence: 4, begun, started_at: updated_at, since: updated_at })
    expect(await stateDocument(on, run)).toMatchObject({ state, phase, fence: 4, place: 'occupied' })
    expect(await get(on, task)).toMatchObject({ status: 'in_progress', revision: 2, run: { state } })
    expect((await activitiesOf(on, task, 'change'))[0]).toMatchObject({ by: 'precedent:run', revision: 2 })
    expect((await activitiesOf(on, task, 'run')).at(-1)).toMatchObject({
      ...{ by: 'precedent:run', run: { from: 'queued', state, phase } },
    })
  })

  it('is refused unless the run is queued, for this phase, and the fence is new', async () => {
    asks(on)
    const { task, run } = await started(on)
    const refused = async (input: object, reason: string) =>
      expectRefused(await submit(on, beginRun, { run, fence: 1, phase: 'plan', ...input }), 'revision_conflict', {
        reason,
      })
    await refused({ phase: 'run' }, 'phase')
    await begin(on, run, 2, 'plan')
    await refused({ fence: 3 }, 'state')
    await plan(on, run, 2)
    await refused({ fence: 3 }, 'state')
    await done(on, approveRun, { id: task, plan_revision: 1 }, bob)
    await refused({ fence: 3 }, 'phase')
    await refused({ fence: 2, phase: 'run' }, 'fence')
    await begin(on, run, 3)
    expect(await stateOf(on, run)).toMatchObject({ begun: { plan: 1, run: 1 } })
  })

  it('is refused while all places of the workspace are occupied', async () => {
    on.rules.runsPerWorkspace = 2
    const [first, second, third] = [await running(), await planning(), await started(on)]
    const refused = async () => submit(on, beginRun, { run: third.run, fence: 1, phase: 'plan' })
    expectRefused(await refused(), 'revision_conflict', { reason: 'full' })
    expect(await stateOf(on, third.run)).toMatchObject({ state: 'queued', begun: { plan: 0 } })
    await succeed(on, first.run)
    await begin(on, third.run, 2, 'plan')
    await plan(on, second.run)
    expect(await stateOf(on, third.run)).toMatchObject({ state: 'planning' })
  })

  it('of an unknown run is refused', async () => {
    const run = '00000000-0000-7000-8000-00000000dead'
    expectRefused(await submit(on, beginRun, { run, fence: 1, phase: 'run' }), 'not_found')
  })
})

describe('run.planned', () => {
  it('stores the plan, awaits an approval, and makes the task unread', async () => {
    on.rules.approvalDays = 2
    const { task, run } = await planning()
    await change(on, task, { inbox_status: 'read' })
    await plan(on, run, 1, 'The plan.')
    const { updated_at, mutable } = await runRow(on, run)
    expect(mutable).toMatchObject({
      ...{ state: 'awaiting_approval', since: updated_at, started_at: expect.any(String) },
      plan: { revision: 1, text: 'The plan.', steps: ['This.', 'That.'], at: updated_at },
      expires_at: new Date(Date.parse(updated_at) + 2 * 24 * 60 * 60_000).toISOString(),
    })
    expect(await stateDocument(on, run)).toMatchObject({ place: 'free', expires_at: mutable.expires_at })
    expect(await get(on, task)).toMatchObject({ inbox_status: 'unread', status: 'in_progress', revision: 2 })
  })

  it('is refused unless the run plans, under this fence', async () => {
    const other = await running()
    const { run } = await planning()
    const input = { run, text: 'A plan.', steps: [] }
    expectRefused(await submit(on, runPlanned, { ...input, fence: 2 }), 'revision_conflict', { reason: 'fence' })
    await plan(on, run)
    expectRefused(await submit(on, runPlanned, { ...input, fence: 1 }), 'revision_conflict', { reason: 'state' })
    expectRefused(await submit(on, runPlanned, { ...input, run: other.run, fence: 1 }), 'revision_conflict', {
      reason: 'state',
    })
  })

  it('fails the run in mode auto if the policy denies it by now', async () => {
    const { task, run } = await planning()
    const rules = [{ name: 'frozen', when: {}, verdict: 'deny' as const, self_approval: false }]
    on.rules.policy = { version: 9, policy: { default: 'allow', rules } }
    await plan(on, run)
    expect(await stateOf(on, run)).toMatchObject({
      ...{ state: 'failed', plan: { revision: 1 }, policy: { verdict: 'deny', rule: 'frozen', version: 9 } },
      error: { code: 'policy_denied', details: { rule: 'frozen' } },
    })
    expect(await get(on, task)).toMatchObject({ status: 'blocked' })
  })

  it('awaits an approval although the policy allows it by now: a second verdict is never milder', async () => {
    const { run } = await planning()
    on.rules.policy = { version: 9, policy: { default: 'allow', rules: [] } }
    await plan(on, run)
    expect(await stateOf(on, run)).toMatchObject({ state: 'awaiting_approval', policy: { version: 2 } })
  })
})

describe('run.ended', () => {
  it('with a result succeeds: the task is done and unread, and the summary is a memory', async () => {
    const { task, run } = await running({ name: 'Paint', inbox_status: 'read' })
    await succeed(on, run, 1, { summary: 'Painted it. I think that two coats do.', links: ['https://acme.example/1'] })
    const { updated_at, mutable } = await runRow(on, run)
    expect(mutable).toMatchObject({
      ...{ state: 'succeeded', ended_at: updated_at, error: null },
      result: { summary: 'Painted it. I think that two coats do.', links: ['https://acme.example/1'] },
    })
    expect(await stateDocument(on, run)).toMatchObject({ state: 'succeeded', place: 'free' })
    expect(await get(on, task)).toMatchObject({ status: 'done', inbox_status: 'unread', revision: 3 })
    const made = (await rows(on)).filter(({ kind }) => kind !== 'task' && kind !== 'run')
    // no question, although the summary hedges
    expect(made).toMatchObject([
      {
        ...{ kind: 'memory', title: 'Run 1 of Paint', text: 'Painted it. I think that two coats do.' },
        ...{ audience: 'workspace', created_by: 'precedent:run', body: { memory_kind: 'session_outcome' } },
        sources: [{ type: 'task', id: task, title: 'Paint', provenance: { class: 'external' } }],
      },
    ])
  })

  it('raises no question about what contradicts its summary', async () => {
    await done(on, recordDecision, { title: 'Ledger', judgment: 'Copies of the ledger are kept for 5 years.' })
    const { run } = await running()
    await succeed(on, run, 1, { summary: 'Copies of the ledger are kept for 7 years.' })
    expect((await rows(on)).map(({ kind }) => kind).sort()).toEqual(['decision', 'memory', 'run', 'task'])
  })

  it('gives the task the status that the result names', async () => {
    const { task, run } = await running()
    await succeed(on, run, 1, { task_status: 'in_progress' })
    expect(await get(on, task)).toMatchObject({ status: 'in_progress', revision: 2, run: { state: 'succeeded' } })
  })

  it('keeps the memory of a private task private, and makes none without a summary', async () => {
    const hers = await running({ visibility: { scope: 'private' } })
    await succeed(on, hers.run)
    const silent = await running()
    await succeed(on, silent.run, 1, { summary: ' ' })
    const memories = (await rows(on)).filter(({ kind }) => kind === 'memory')
    expect(memories).toMatchObject([{ audience: 'user:ada' }])
  })

  it('with an error fails: the task is blocked and unread', async () => {
    const { task, run } = await running()
    await change(on, task, { inbox_status: 'read' })
    await fail(on, run)
    expect(await stateOf(on, run)).toMatchObject({
      ...{ state: 'failed', result: null, ended_at: expect.any(String) },
      error: { code: 'executor_failed', message: 'It broke.', details: null },
    })
    expect(await get(on, task)).toMatchObject({ status: 'blocked', inbox_status: 'unread' })
    expect((await activitiesOf(on, task, 'run')).at(-1)).toMatchObject({ text: 'It broke.', run: { state: 'failed' } })
  })

  it('is refused unless a session is under way, under this fence', async () => {
    const { task, run } = await running()
    expectRefused(await submit(on, runEnded, { run, fence: 2, ...ended }), 'revision_conflict', { reason: 'fence' })
    await done(on, cancelRun, { id: task }, ada)
    expectRefused(await submit(on, runEnded, { run, fence: 1, ...ended }), 'revision_conflict', { reason: 'state' })
    expect(await stateOf(on, run)).toMatchObject({ state: 'cancelled' })
  })

  it('never succeeds from a session that only plans', async () => {
    const { run } = await planning()
    const result = { summary: 'Done already.', links: [] }
    expectRefused(await submit(on, runEnded, { run, fence: 1, error: null, result }), 'revision_conflict', {
      reason: 'state',
    })
    await fail(on, run)
    expect(await stateOf(on, run)).toMatchObject({ state: 'failed' })
  })
})

describe('run.lost', () => {
  it('queues the run again, for three starts of each phase', async () => {
    const { task, run } = await running()
    await step(on, runLost, { run, fence: 2 })
    expect(await stateOf(on, run)).toMatchObject({ state: 'queued', phase: 'run', fence: 2, begun: { run: 1 } })
    expect(await stateDocument(on, run)).toMatchObject({ state: 'queued', place: 'free', fence: 2 })
    expect(await get(on, task)).toMatchObject({ status: 'in_progress' })
    for (const fence of [3, 5]) {
      await begin(on, run, fence)
      await step(on, runLost, { run, fence: fence + 1 })
    }
    expect(await stateOf(on, run)).toMatchObject({
      ...{ state: 'failed', fence: 6, begun: { run: 3 }, error: { code: 'worker_lost' } },
    })
    expect(await get(on, task)).toMatchObject({ status: 'blocked', inbox_status: 'unread' })
  })

  it('does not count a session whose worker stopped in order', async () => {
    const { run } = await running()
    for (const fence of [2, 4, 6, 8]) {
      await step(on, runLost, { run, fence, uncounted: true })
      expect(await stateOf(on, run)).toMatchObject({ state: 'queued', begun: { run: 0 } })
      await begin(on, run, fence + 1)
    }
    expect(await stateOf(on, run)).toMatchObject({ state: 'running', begun: { run: 1 } })
  })

  it.each([true, false])(
    'fails a run that must not be started twice (worker stopped in order: %s)',
    async (uncounted) => {
      on.rules.executors = [{ ...robot, plans: true }]
      const { run } = await running()
      await step(on, runLost, { run, fence: 2, uncounted })
      expect(await stateOf(on, run)).toMatchObject({ state: 'failed', fence: 2, error: { code: 'worker_lost' } })
    },
  )

  it('counts each phase for itself', async () => {
    const { task, run } = await planning()
    for (const fence of [2, 4]) {
      await step(on, runLost, { run, fence })
      expect(await stateOf(on, run)).toMatchObject({ state: 'queued', phase: 'plan' })
      await begin(on, run, fence + 1, 'plan')
    }
    await plan(on, run, 5)
    await done(on, approveRun, { id: task, plan_revision: 1 }, bob)
    await begin(on, run, 6)
    await step(on, runLost, { run, fence: 7 })
    expect(await stateOf(on, run)).toMatchObject({ state: 'queued', phase: 'run', begun: { plan: 3, run: 1 } })
  })

  it('rules out older sessions in every state in which nobody is at work, and changes nothing else', async () => {
    for (const { task, run } of [await started(on), await waiting()]) {
      const before = await stateOf(on, run)
      const told = await activitiesOf(on, task, 'run')
      await step(on, runLost, { run, fence: 9 })
      expect(await stateOf(on, run)).toEqual({ ...before, fence: 9 })
      expect(await stateDocument(on, run)).toMatchObject({ fence: 9, since: before.since, state: before.state })
      expect(await activitiesOf(on, task, 'run')).toEqual(told)
      const { phase } = before
      const late = await submit(on, beginRun, { run, fence: 9, phase })
      expectRefused(late, 'revision_conflict')
    }
  })

  it('is refused for an older fence, and for a run that has ended', async () => {
    const { run } = await running()
    expectRefused(await submit(on, runLost, { run, fence: 1 }), 'revision_conflict', { reason: 'fence' })
    await succeed(on, run)
    expectRefused(await submit(on, runLost, { run, fence: 2 }), 'revision_conflict', { reason: 'state' })
    expect(await stateOf(on, run)).toMatchObject({ state: 'succeeded', fence: 1 })
  })
})

describe('run.expire', () => {
  it('ends a run that nobody approved in time, and gives the task the status of before', async () => {
    on.rules.approvalDays = 0
    const { task, run } = await waiting()
    const { since } = await stateOf(on, run)
    await step(on, expireRun, { run, since })
    expect(await stateOf(on, run)).toMatchObject({
      ...{ state: 'expired', expires_at: null, ended_at: expect.any(String), error: { code: 'approval_expired' } },
    })
    expect(await get(on, task)).toMatchObject({ status: 'todo', run: { state: 'expired' } })
  })

  it('is refused before its time, of another wait, and of a run that does not wait', async () => {
    const { task, run } = await waiting()
    const { since } = await stateOf(on, run)
    const refused = async (input: object, reason: string) =>
      expectRefused(await submit(on, expireRun, { run, since, ...input }), 'revision_conflict', { reason })
    await refused({}, 'early')
    await refused({ since: '2025-01-01T00:00:00.000Z' }, 'since')
    await done(on, approveRun, { id: task, plan_revision: 1 }, bob)
    await refused({}, 'state')
    expect(await stateOf(on, run)).toMatchObject({ state: 'queued' })
  })
})

describe('a status that somebody has set since the start', () => {
  it.each(['succeeded', 'failed', 'cancelled'])('stays when the run has %s', async (state) => {
    const { task, run } = await running()
    await change(on, task, { status: 'todo' })
    if (state === 'succeeded') await succeed(on, run)
    else if (state === 'failed') await fail(on, run)
    else await done(on, cancelRun, { id: task }, ada)
    expect(await get(on, task)).toMatchObject({ status: 'todo', revision: 3, run: { state } })
  })

  it('stays when the run begins', async () => {
    const { task, run } = await started(on)
    await change(on, task, { status: 'blocked' })
    await begin(on, run)
    expect(await get(on, task)).toMatchObject({ status: 'blocked', revision: 2 })
  })

  it('is taken over by the next run', async () => {
    const { task, run } = await running()
    await change(on, task, { status: 'blocked' })
    await fail(on, run)
    await begin(on, await start(on, task))
    expect(await get(on, task)).toMatchObject({ status: 'in_progress', run: { number: 2 } })
  })
})

describe('notices', () => {
  const told = async () =>
    (
      await on.documents.find(notices, {
        where: { due: { gt: '2000-01-01T00:00:00.000Z' } },
        sort: [['due', 'asc']],
        limit: 100,
      })
    ).map(({ run, type }) => [run, type])

  it('tell of a run that awaits approval, has failed or has succeeded', async () => {
    on.rules.notifies = true
    on.rules.executors = [coder]
    const first = await running()
    await succeed(on, first.run)
    const second = await waiting()
    await done(on, approveRun, { id: second.task, plan_revision: 1 }, bob)
    await begin(on, second.run, 2)
    await fail(on, second.run, 2)
    const third = await started(on)
    await done(on, cancelRun, { id: third.task }, ada)
    expect(await told()).toEqual([
      [first.run, 'succeeded'],
      [second.run, 'awaiting_approval'],
      [second.run, 'failed'],
    ])
  })

  it('are not made if nobody is to be told', async () => {
    await succeed(on, (await running()).run)
    expect(await told()).toEqual([])
  })
})
