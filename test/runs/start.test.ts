import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { recordDecision } from '../../src/decisions/record.ts'
import { drain } from '../../src/journal/drain.ts'
import { headOf } from '../../src/journal/head.ts'
import { remember } from '../../src/memories/remember.ts'
import { resolve } from '../../src/questions/answer/resolve.ts'
import { receipts } from '../../src/receipt.ts'
import { cancelRun } from '../../src/runs/cancel.ts'
import { startRun } from '../../src/runs/start.ts'
import { leases } from '../../src/runs/stored/lease.ts'
import { createTask } from '../../src/tasks/create.ts'
import { apply, promise, quiet, rows, type World, workspace } from '../support/apply.ts'
import { change, done, get, listed, make, ada as withoutRuns } from '../tasks/tasks.ts'
import {
  activitiesOf,
  ada,
  asks,
  begin,
  coder,
  eve,
  expectRefused,
  fail,
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
})
afterEach(() => on.close())

const everything = {
  ...{ name: 'Paint', description: 'In **green**.', labels: ['docs'], project: 'garden', priority: 'high' },
  repo_full_name: 'acme/fence',
}
const rule = (then: object, when: object = {}) => {
  const rules = [{ name: 'the rule', when, verdict: 'allow' as const, self_approval: false, ...then }]
  on.rules.policy = { version: 7, policy: { default: 'require_approval', rules } }
}

const missing = '00000000-0000-7000-8000-00000000dead'

/** Open questions about a decision. */
async function blockingOn(decision: string | undefined) {
  return (await rows(on)).flatMap((row) =>
    row.kind === 'question' &&
    row.valid_to === null &&
    row.body.priority === 'blocking' &&
    row.body.about.some(({ record }) => record === decision)
      ? [row]
      : [],
  )
}

describe('a run that the policy allows', () => {
  it('is queued to be carried out, with a copy of the task', async () => {
    const { task, run } = await started(on, { instructions: 'Be quick.' }, everything)
    const row = await runRow(on, run)
    expect(row).toMatchObject({
      kind: 'run',
      title: 'Paint',
      text: 'In **green**.',
      audience: 'workspace',
      feed: 'none',
    })
    expect(row.body).toEqual({
      ...{ task, number: 1, mode: 'auto', executor: 'coder', instructions: 'Be quick.', labels: ['docs'] },
      ...{ project: 'garden', priority: 'high', repo_full_name: 'acme/fence', decision_ids: [], status_before: 'todo' },
      ...{ requested_by: { user: 'ada', credential: 'key-of-ada' }, plans: true, repeatable: true },
      ...{ has_own_instructions: true, trace: null },
    })
    expect(row.mutable).toEqual({
      ...{ state: 'queued', phase: 'run', since: row.updated_at, fence: 0, begun: { plan: 0, run: 0 } },
      policy: {
        ...{ verdict: 'allow', rule: null, self_approval: false, version: 1 },
        because: ['no rule fits, so the default of the policy decides'],
      },
      ...{ plan: null, approval: null, started_at: null, ended_at: null, expires_at: null, result: null, error: null },
    })
  })

  it('can be found by workers, and has a free lease', async () => {
    const { task, run } = await started(on, {}, { priority: 'high' })
    const { mutable } = await runRow(on, run)
    expect(await stateDocument(on, run)).toEqual({
      ...{ id: run, workspace, audience: 'workspace', task, executor: 'coder', state: 'queued', phase: 'run' },
      ...{ place: 'free', priority: 1, since: mutable.since, fence: 0, expires_at: '', entry: expect.any(Number) },
    })
    expect(await on.documents.get(leases, run)).toEqual({
      ...{ id: run, workspace, fence: 0, beat: 0, holder: null, open: 1 },
    })
  })

  it('shows in its task and is its activity, but is no new revision and not unread', async () => {
    const task = await make(on)
    await change(on, task, { inbox_status: 'read' })
    const run = await start(on, task)
    const now = { id: run, number: 1, state: 'queued' }
    expect((await taskRow(on, task)).mutable).toMatchObject({ status: 'todo', status_by: run, run: now })
    expect(await get(on, task)).toMatchObject({ run: now, revision: 1, inbox_status: 'read', status: 'todo' })
    expect(await activitiesOf(on, task, 'run')).toMatchObject([
      { by: 'ada', text: null, run: { ...now, phase: 'run' } },
    ])
  })

  it('is named by its receipt, which older workers leave alone, as is its entry', async () => {
    const task = await make(on, { name: 'Paint' })
    const receipt = await done(on, startRun, { id: task }, ada)
    expect(receipt).toMatchObject({ format: 2, entity: { type: 'run', label: 'Paint', audience: 'workspace', task } })
    const { number } = await headOf(on.documents, workspace)
    expect((await on.documents.get(receipts, receipt.id))?.number).toBe(number)
  })
})

describe('a run that needs an approval', () => {
  it('is queued for its plan, if the executor can plan', async () => {
    asks(on)
    const { run } = await started(on)
    expect(await stateOf(on, run)).toMatchObject({ state: 'queued', phase: 'plan', expires_at: null })
  })

  it('awaits the approval at once, if the executor cannot plan', async () => {
    asks(on)
    on.rules.executors = [robot]
    on.rules.approvalDays = 3
    const task = await make(on, { inbox_status: 'read' })
    const receipt = await done(on, startRun, { id: task }, ada)
    expect(receipt.entity).toMatchObject({ type: 'run', task, awaits: true })
    const run = receipt.entity?.id as string
    const mutable = await stateOf(on, run)
    expect(mutable).toMatchObject({ state: 'awaiting_approval', plan: null })
    expect(Date.parse(mutable.expires_at as string) - Date.parse(mutable.since)).toBe(3 * 24 * 60 * 60_000)
    expect(await stateDocument(on, run)).toMatchObject({ expires_at: mutable.expires_at, place: 'free' })
    expect(await get(on, task)).toMatchObject({ inbox_status: 'unread', status: 'todo' })
  })

  it('is one of mode plan, although the policy allows it', async () => {
    const { run } = await started(on, { mode: 'plan' })
    expect(await stateOf(on, run)).toMatchObject({
      ...{ state: 'queued', phase: 'plan' },
      policy: { verdict: 'require_approval', because: [expect.any(String), expect.stringContaining('mode plan')] },
    })
  })

  it('is one whose task has a decision with an open question that blocks it', async () => {
    const proposal = { title: 'Trains', judgment: 'We take trains.', status: 'proposed', significance: 'strategic' }
    const decision = (await done(on, recordDecision, proposal)).entity?.id
    expect(await blockingOn(decision)).toHaveLength(1)
    const { task, run } = await started(on, {}, { decision_ids: [decision] })
    expect(await stateOf(on, run)).toMatchObject({
      ...{ state: 'queued', phase: 'plan' },
      policy: { verdict: 'require_approval', because: [expect.any(String), expect.stringContaining('open question')] },
    })
    await done(on, cancelRun, { id: task }, ada)
    const [question] = await blockingOn(decision)
    await done(on, resolve, { question_id: question?.body.question_id, resolution: 'confirm' })
    expect(await stateOf(on, await start(on, task))).toMatchObject({ phase: 'run', policy: { verdict: 'allow' } })
  })

  it('is not one whose task is seen by others than the question', async () => {
    const text = (years: number) => `Copies of the ledger are kept for ${years} years.`
    const decision = (await done(on, recordDecision, { title: 'Ledger', judgment: text(5) })).entity?.id
    const visibility = { scope: 'private' }
    await done(on, remember, { kind: 'fact', content: text(7), visibility })
    expect(await blockingOn(decision)).toMatchObject([{ audience: 'user:ada' }])
    const seenByAll = await started(on, {}, { decision_ids: [decision] })
    expect(await stateOf(on, seenByAll.run)).toMatchObject({ phase: 'run' })
    const hers = await started(on, {}, { decision_ids: [decision], visibility })
    expect(await stateOf(on, hers.run)).toMatchObject({ phase: 'plan' })
  })

  it('is decided by the copy of the task: labels, project, priority, repository and executor', async () => {
    const when = {
      labels: ['docs'],
      project: ['garden'],
      priority: ['high'],
      repo: ['acme/fence'],
      executor: ['coder'],
    }
    rule({}, when)
    expect(await stateOf(on, (await started(on, {}, everything)).run)).toMatchObject({
      policy: { verdict: 'allow', rule: 'the rule', version: 7 },
    })
    expect(await stateOf(on, (await started(on, {}, { ...everything, labels: ['code'] })).run)).toMatchObject({
      policy: { verdict: 'require_approval', rule: null },
    })
  })

  it('is every run, if nobody has published a policy', async () => {
    on.rules.policy = undefined
    const { run } = await started(on)
    expect(await stateOf(on, run)).toMatchObject({ phase: 'plan', policy: { verdict: 'require_approval', version: 0 } })
  })
})

describe('a run is refused', () => {
  it.each(['plan', 'auto'])('if the policy denies it, in mode %s: nothing is made', async (mode) => {
    rule({ verdict: 'deny' })
    const task = await make(on)
    const before = await rows(on)
    expectRefused(await apply(on, startRun, { id: task, mode }, ada), 'policy_denied', { rule: 'the rule' })
    expect(await rows(on)).toEqual(before)
  })

  it.each(['done', 'cancelled'])('if the task is %s', async (status) => {
    const task = await make(on, { status })
    await expect(promise(on, startRun, { id: task }, ada)).rejects.toMatchObject({ code: 'task_closed' })
  })

  it('if the task has a run that has not ended', async () => {
    const { task, run } = await started(on)
    await expect(promise(on, startRun, { id: task }, ada)).rejects.toMatchObject({
      code: 'run_active',
      details: { run: { id: run, number: 1 } },
    })
  })

  it('in the journal too: of two that were accepted, one starts', async () => {
    const task = await make(on)
    const both = [await promise(on, startRun, { id: task }, ada), await promise(on, startRun, { id: task }, eve)]
    await quiet(on)
    const ended = await Promise.all(both.map((one) => on.documents.get(receipts, one.id, ['state', 'error'])))
    expect(ended.map((one) => one?.state).sort()).toEqual(['applied', 'failed'])
    expect(ended.find((one) => one?.state === 'failed')?.error).toMatchObject({ code: 'run_active' })
  })

  it('in the journal too, if the task was closed meanwhile', async () => {
    const task = await make(on)
    const receipt = await promise(on, startRun, { id: task }, ada)
    await on.documents.update(receipts, receipt.id, { set: { open: 0, undecided: 0 } })
    await change(on, task, { status: 'done' })
    await on.documents.update(receipts, receipt.id, { set: { open: 1, undecided: 1 } })
    await quiet(on)
    expect(await on.documents.get(receipts, receipt.id, ['error'])).toMatchObject({ error: { code: 'task_closed' } })
  })

  it('if the caller does not see the task, like a missing one', async () => {
    const task = await make(on, { visibility: { scope: 'private' } })
    const refusal = { code: 'not_found', message: 'There is no task with this id.' }
    await expect(promise(on, startRun, { id: task }, eve)).rejects.toMatchObject(refusal)
    await expect(promise(on, startRun, { id: missing }, eve)).rejects.toMatchObject(refusal)
  })

  it('without the scope tasks:run', async () => {
    const task = await make(on)
    await expect(promise(on, startRun, { id: task }, withoutRuns)).rejects.toMatchObject({
      code: 'insufficient_scope',
      details: { required_scope: 'tasks:run' },
    })
  })
})

describe('the executor', () => {
  it('is the one that the call names, or else the task', async () => {
    on.rules.executors = [coder, robot]
    const task = await make(on, { execution: { mode: 'none', executor: 'robot', instructions: 'Mind the cat.' } })
    const first = await start(on, task)
    expect((await runRow(on, first)).body).toMatchObject({
      executor: 'robot',
      mode: 'auto',
      instructions: 'Mind the cat.',
    })
    await done(on, cancelRun, { id: task }, ada)
    const second = await start(on, task, { executor: 'coder', instructions: 'Run.' })
    expect((await runRow(on, second)).body).toMatchObject({ executor: 'coder', instructions: 'Run.', plans: true })
  })

  it('must be named if there are several', async () => {
    on.rules.executors = [coder, robot]
    const task = await make(on)
    await expect(promise(on, startRun, { id: task }, ada)).rejects.toMatchObject({
      code: 'invalid_request',
      message: 'executor: choose an executor: coder, robot',
    })
  })

  it('must exist, when the call is accepted and when it is decided', async () => {
    const task = await make(on)
    const refusal = { code: 'invalid_request', message: expect.stringContaining('choose one of coder') }
    await expect(promise(on, startRun, { id: task, executor: 'other' }, ada)).rejects.toMatchObject(refusal)
    const receipt = await promise(on, startRun, { id: task, executor: 'coder' }, ada)
    on.rules.executors = []
    await quiet(on)
    expect(await on.documents.get(receipts, receipt.id, ['error'])).toMatchObject({
      error: { code: 'invalid_request' },
    })
  })
})

describe('the next run of a task', () => {
  it('counts on, and copies the task as it is now', async () => {
    const { task, run } = await started(on, {}, { name: 'Paint' })
    await begin(on, run)
    await fail(on, run)
    await change(on, task, { name: 'Paint twice', status: 'in_progress' })
    const second = await start(on, task)
    expect(await runRow(on, second)).toMatchObject({
      title: 'Paint twice',
      body: { number: 2, status_before: 'in_progress' },
    })
    expect(await runRow(on, run)).toMatchObject({ title: 'Paint', mutable: { state: 'failed' } })
    expect((await taskRow(on, task)).mutable).toMatchObject({ run: { id: second, number: 2 }, status_by: second })
  })
})

describe('a task that is made with a mode', () => {
  it.each(['plan', 'auto'])('%s starts a run in the same entry', async (mode) => {
    const task = await make(on, { execution: { mode, instructions: 'Be quick.' } }, ada)
    const { run } = (await taskRow(on, task)).mutable
    expect(run).toMatchObject({ number: 1, state: 'queued' })
    expect(await runRow(on, run?.id as string)).toMatchObject({ body: { mode, task, instructions: 'Be quick.' } })
    expect((await headOf(on.documents, workspace)).number).toBe(1)
    expect(await get(on, task)).toMatchObject({ execution: { mode, instructions: 'Be quick.' }, revision: 1 })
  })

  it('is not made if the policy denies the run', async () => {
    rule({ verdict: 'deny' })
    const receipt = await apply(on, createTask, { name: 'A', execution: { mode: 'auto' } }, ada)
    expectRefused(receipt, 'policy_denied')
    expect(await rows(on)).toEqual([])
  })

  it('says in its receipt that the run awaits approval', async () => {
    asks(on)
    on.rules.executors = [robot]
    const receipt = await done(on, createTask, { name: 'A', execution: { mode: 'auto' } }, ada)
    expect(receipt.entity).toMatchObject({ type: 'task', awaits: true })
  })

  it('needs the scope tasks:run', async () => {
    const input = { name: 'A', execution: { mode: 'auto' } }
    await expect(promise(on, createTask, input, withoutRuns)).rejects.toMatchObject({
      code: 'insufficient_scope',
      details: { required_scope: 'tasks:run' },
    })
    await promise(on, createTask, { ...input, execution: { mode: 'none' } }, withoutRuns)
  })

  it('needs an executor, and a task that is not closed', async () => {
    const input = { name: 'A', execution: { mode: 'auto' } }
    await expect(promise(on, createTask, { ...input, status: 'done' }, ada)).rejects.toMatchObject({
      code: 'task_closed',
    })
    on.rules.executors = []
    await expect(promise(on, createTask, input, ada)).rejects.toMatchObject({ code: 'invalid_request' })
  })

  it('a wrong executor is refused with the name of its field, when the call is accepted and when it is decided', async () => {
    const issues = (message: string) => ({ issues: [{ path: 'execution.executor', message }] })
    const other = { name: 'A', execution: { mode: 'auto', executor: 'other' } }
    await expect(promise(on, createTask, other, ada)).rejects.toMatchObject({
      details: issues('there is no other: choose one of coder'),
    })
    const receipt = await promise(on, createTask, { name: 'A', execution: { mode: 'auto' } }, ada)
    on.rules.executors = [coder, robot]
    await quiet(on)
    expect(await on.documents.get(receipts, receipt.id, ['error'])).toMatchObject({
      error: { details: issues('choose an executor: coder, robot') },
    })
  })

  it('starts none if it is changed, or posted again', async () => {
    const external = { name: 'A', external_id: 'T-1' }
    const task = await make(on, external, ada)
    await change(on, task, { execution: { mode: 'auto' } })
    on.rules.executors = []
    await make(on, { ...external, execution: { mode: 'plan' } }, ada)
    expect((await taskRow(on, task)).mutable).toMatchObject({ execution: { mode: 'plan' } })
    expect((await taskRow(on, task)).mutable.run).toBeUndefined()
  })
})

it('tasks are found by the state of their newest run, also among those that match a query', async () => {
  const never = await make(on, { name: 'Paint never' })
  const { task: queued } = await started(on, {}, { name: 'Paint later' })
  const { task: ended, run } = await started(on, {}, { name: 'Paint now' })
  await begin(on, run)
  await succeed(on, run)
  for (const q of [{}, { q: 'paint' }]) {
    expect(await listed(on, { run_state: ['none'], ...q })).toEqual([never])
    expect(await listed(on, { run_state: ['queued', 'running'], ...q })).toEqual([queued])
    expect(await listed(on, { run_state: ['succeeded'], ...q })).toEqual([ended])
  }
})

it('run workers are woken only after an entry that queued a run', async () => {
  const ports = on.portsOf(on)
  const woken: string[] = []
  const queue = { ...ports.queue, add: async (kind: string) => void woken.push(kind) }
  const decide = async () => {
    woken.length = 0
    await drain({ ...ports, queue }, { workspace, lane: 'interactive' })
    return woken.filter((kind) => kind === 'run')
  }
  await promise(on, createTask, { name: 'A', execution: { mode: 'auto' } }, ada)
  expect(await decide()).toEqual(['run'])
  await promise(on, createTask, { name: 'B' }, ada)
  expect(await decide()).toEqual([])
})
