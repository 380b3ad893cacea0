import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { RunMutable, RunState } from '../../src/records/run.ts'
import { getRun } from '../../src/runs/get.ts'
import type { RunShown } from '../../src/runs/shown.ts'
import { runners } from '../../src/runs/stored/runner.ts'
import { type World, world } from '../support/apply.ts'
import { ask, publicUrl, readsOf } from '../support/ask.ts'
import { ada, change as changeTask, eve, get, make, team } from '../tasks/tasks.ts'
import { change, storeRun, storeSession } from './stored-run.ts'

let on: World
beforeEach(async () => {
  on = await world()
})
afterEach(() => on.close())

const shown = async (id: string, actor = ada): Promise<RunShown> => ask(await readsOf(on), getRun, { id }, actor)
const at = '2026-01-02T00:00:00.000Z'

describe('GET /tasks/:id/run', () => {
  it('shows what the run knows, and leaves out what it does not have', async () => {
    const task = await make(on, { name: 'Paint', labels: ['a'] })
    await storeRun(on, task)
    expect(await shown(task)).toEqual({
      ...{ id: expect.any(String), number: 1, state: 'queued', phase: 'run', mode: 'auto', executor: 'coder' },
      policy: { verdict: 'allow', rule: 'all', because: ['the rule "all" fits'] },
      ...{ stale: false, attempts: 0, created_at: expect.any(String), sessions: [] },
      fleet: { workers: 0, capacity: 0, active: 0, queued: 1, position: 1 },
    })
    expect((await get(on, task)).run).toEqual(await shown(task))
  })

  it('shows the plan, the approval, the end and the result', async () => {
    const task = await make(on)
    const plan = { revision: 2, text: 'Do it.', steps: ['one'], at }
    const run = await storeRun(on, task, {
      mutable: { state: 'awaiting_approval', phase: 'plan', plan, started_at: at, expires_at: at },
    })
    const waiting = await shown(task)
    expect(waiting).toMatchObject({ plan, started_at: at, expires_at: at })
    expect(waiting.approval_url).toBe(`${publicUrl}/api/v2/tasks/${task}/run/approve`)
    const ended = { ended_at: at, expires_at: null, begun: { plan: 2, run: 1 } }
    const result = { summary: 'Done.', links: ['https://example.com'] }
    await change(on, run, {
      state: 'succeeded',
      phase: 'run',
      result,
      approval: { by: 'eve', at, note: 'Go' },
      ...ended,
    })
    const done = await shown(task)
    expect(done).toMatchObject({ state: 'succeeded', result, approval: { by: 'eve', at, note: 'Go' }, attempts: 1 })
    expect(done).not.toHaveProperty('approval_url')
    const error = { code: 'executor_failed', message: 'It failed.', details: { exit_code: 3 } }
    await change(on, run, { state: 'failed', result: null, error })
    expect((await shown(task)).error).toEqual(error)
  })

  it('is not found where the task never ran, or where the caller does not see the task', async () => {
    const task = await make(on, { visibility: { scope: 'team', team_id: team } })
    await expect(shown(task)).rejects.toMatchObject({ code: 'not_found', message: 'This task has never run.' })
    expect((await get(on, task)).run).toBeNull()
    await storeRun(on, task)
    const missing = on.clock.id()
    const refusal = (id: string) => shown(id, eve).catch(({ code, message }) => ({ code, message }))
    expect(await refusal(task)).toEqual(await refusal(missing))
  })

  it.each([
    ['name', { name: 'Other' }],
    ['description', { description: 'Other' }],
    ['labels', { labels: ['other'] }],
    ['project', { project: 'other' }],
    ['priority', { priority: 'urgent' }],
    ['repo_full_name', { repo_full_name: 'a/b' }],
  ])('is stale once the %s of the task has changed', async (_, input) => {
    const task = await make(on)
    await storeRun(on, task)
    await changeTask(on, task, { status: 'in_progress', assignees: ['me'], inbox_status: 'read' })
    expect((await shown(task)).stale).toBe(false)
    await changeTask(on, task, input)
    expect((await shown(task)).stale).toBe(true)
  })
})

describe('the sessions of a run', () => {
  it('are shown newest first, at most 20, and only the newest with the end of its output', async () => {
    const task = await make(on)
    const run = await storeRun(on, task, { mutable: { state: 'running', fence: 22 } })
    const output = `${'x'.repeat(70_000)}😀${'y'.repeat(3_999)}`
    for (let fence = 1; fence <= 22; fence += 1) await storeSession(on, run, fence, { output })
    const { session, sessions } = await shown(task)
    expect(sessions.map(({ id }) => id)).toEqual(Array.from({ length: 20 }, (_, n) => `${run}-${22 - n}`))
    // half of a character is left out
    expect(session).toEqual({ ...sessions[0], output_tail: 'y'.repeat(3_999) })
    expect(session).toMatchObject({ state: 'running', worker: 'worker-1' })
    expect(sessions[1]?.state).toBe('lost')
  })

  it.each<[RunState, string]>([
    ['running', 'running'],
    ['planning', 'running'],
    ['awaiting_approval', 'succeeded'],
    ['queued', 'succeeded'],
    ['succeeded', 'succeeded'],
    ['failed', 'failed'],
    ['cancelled', 'cancelled'],
  ])('whose worker has stored no end are, of a run that is %s, shown as %s', async (state, expected) => {
    const task = await make(on)
    const run = await storeRun(on, task, { mutable: { state, fence: 2 } as Partial<RunMutable> })
    await storeSession(on, run, 1, { state: 'succeeded', phase: 'plan', exit_code: 0, ended_at: at })
    await storeSession(on, run, 2)
    const { sessions } = await shown(task)
    expect(sessions.map((one) => one.state)).toEqual([expected, 'succeeded'])
    await change(on, run, { fence: 3 })
    expect((await shown(task)).sessions.map((one) => one.state)).toEqual(['lost', 'succeeded'])
  })
})

describe('the fleet', () => {
  it('counts the workers seen within 30 s that have the executor, and what they can do at once', async () => {
    const task = await make(on)
    await storeRun(on, task)
    const seen = (ago: number) => new Date(on.clock.now() - ago).toISOString()
    const executor = { name: 'coder', plans: true, repeatable: true, capacity: 3 }
    const other = { ...executor, name: 'other', capacity: 50 }
    await on.documents.insert(runners, { id: 'a', seen_at: seen(0), executors: [other, executor] })
    await on.documents.insert(runners, { id: 'b', seen_at: seen(20_000), executors: [{ ...executor, capacity: 2 }] })
    await on.documents.insert(runners, { id: 'c', seen_at: seen(0), executors: [other] })
    await on.documents.insert(runners, { id: 'd', seen_at: seen(31_000), executors: [executor] })
    expect((await shown(task)).fleet).toMatchObject({ workers: 2, capacity: 5 })
  })

  it('counts and orders only runs that the caller sees; an admin sees all of the workspace', async () => {
    const hidden = { visibility: { scope: 'private' } }
    const task = await make(on, { name: 'Mine' }, eve)
    const of = (who: typeof ada, input = {}) => make(on, input, who)
    await storeRun(on, await of(ada, { ...hidden, priority: 'urgent' }))
    await storeRun(on, await of(eve, { priority: 'urgent' }))
    await storeRun(on, await of(ada, hidden))
    await storeRun(on, task)
    await storeRun(on, await of(eve))
    await storeRun(on, await of(eve, { priority: 'urgent' }), { body: { executor: 'other' } })
    await storeRun(on, await of(eve), { mutable: { state: 'running' } })
    await storeRun(on, await of(ada, hidden), { mutable: { state: 'planning' } })
    expect((await shown(task, eve)).fleet).toMatchObject({ active: 1, queued: 3, position: 2 })
    const admin = { ...eve, scopes: [...eve.scopes, 'admin' as const] }
    expect((await shown(task, admin)).fleet).toMatchObject({ active: 2, queued: 5, position: 4 })
  })
})
