/** Random histories of runs: what callers, workers and maintain send, in any order, late and repeated. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Actor } from '../../src/access/actor.ts'
import { drain } from '../../src/journal/drain.ts'
import type { Operation } from '../../src/operation.ts'
import { Problem } from '../../src/problem.ts'
import { accept } from '../../src/receipts/accept.ts'
import { type Activity, activities } from '../../src/records/activity.ts'
import { type RecordOf, records } from '../../src/records/record.ts'
import { hasEnded, type RunState, runPhases, runStateDocuments } from '../../src/records/run.ts'
import { approveRun } from '../../src/runs/approve.ts'
import { cancelRun } from '../../src/runs/cancel.ts'
import { startRun } from '../../src/runs/start.ts'
import { beginRun } from '../../src/runs/steps/begin.ts'
import { runEnded } from '../../src/runs/steps/ended.ts'
import { expireRun } from '../../src/runs/steps/expire.ts'
import { runLost } from '../../src/runs/steps/lost.ts'
import { runPlanned } from '../../src/runs/steps/planned.ts'
import { updateTask } from '../../src/tasks/update.ts'
import { type World, workspace } from '../support/apply.ts'
import { tries } from '../support/size.ts'
import { make } from '../tasks/tasks.ts'
import { ada, bob, coder, robot, runWorld, worker } from './runs.ts'

const statuses = ['todo', 'in_progress', 'blocked', 'todo', 'in_progress', 'done', 'cancelled'] as const
const places = 2
const startsOfRepeatable = 3

const move = fc.record({
  what: fc.constantFrom(
    ...(['start', 'start', 'begin', 'begin', 'begin', 'begin', 'planned', 'planned', 'ended', 'ended'] as const),
    ...(['lost', 'lost', 'approve', 'approve', 'approve', 'expire', 'cancel', 'change', 'policy'] as const),
  ),
  target: fc.constantFrom(0, 0, 0, 1, 1, 2),
  /** Added to the fence that would be right: less is late. */
  ahead: fc.constantFrom(0, 0, 0, 0, 0, 0, 1, -1),
  phase: fc.constantFrom(...runPhases, ...new Array(6).fill(undefined)),
  status: fc.constantFrom(...statuses),
  verdict: fc.constantFrom('allow', 'require_approval', 'require_approval', 'deny'),
  isGood: fc.boolean(),
  uncounted: fc.boolean(),
  executor: fc.constantFrom('coder', 'coder', 'robot', 'planner'),
  // those that wait are decided in one entry
  waits: fc.constantFrom(false, false, true),
})
type Move = typeof move extends fc.Arbitrary<infer M> ? M : never

type Run = RecordOf<'run'>

it('every history of runs keeps the promises of the protocol', { timeout: 240_000 }, async () => {
  const history = fc.array(move, { minLength: 30, maxLength: 80, size: 'max' })
  await fc.assert(
    fc.asyncProperty(history, async (moves) => {
      const on = await runWorld([coder, robot, { ...robot, name: 'planner', plans: true }])
      on.rules.runsPerWorkspace = places
      const tasks = [await make(on), await make(on), await make(on)]
      const ended = new Map<string, string>()
      let uncounted = 0
      try {
        for (const [at, one] of moves.entries()) {
          if (one.what === 'lost' && one.uncounted) uncounted += 1
          await send(on, one, tasks[one.target] as string, at)
          if (one.waits && at < moves.length - 1) continue
          await drain(on.portsOf(on), { workspace, lane: 'interactive' })
          await keepsPromises(on, ended, uncounted)
        }
      } finally {
        await on.close()
      }
    }),
    { numRuns: tries(50), endOnFailure: true },
  )
})

/** As a caller or a worker sends it that knows the store of now. Web may refuse it at once. */
async function send(on: World, one: Move, task: string, at: number): Promise<void> {
  if (one.what === 'policy') {
    on.rules.policy = { version: at, policy: { default: one.verdict, rules: [] } }
    // 0: whoever waits has waited for too long
    on.rules.approvalDays = one.isGood ? 7 : 0
    return
  }
  const { mutable } = (await on.documents.get(records, task)) as RecordOf<'task'>
  const run = mutable.run && ((await on.documents.get(records, mutable.run.id)) as Run)
  const call = callOf(one, task, run)
  if (call === undefined) return
  const [operation, input, actor] = call
  await accept(on.portsOf(on), {
    operation: operation as unknown as Operation<unknown>,
    actor,
    input,
    idempotencyKey: `move-${at}-of-the-history`,
  }).catch((error: unknown) => {
    if (!(error instanceof Problem)) throw error
  })
}

function callOf(
  { what, ahead, phase, status, executor, isGood, uncounted }: Move,
  id: string,
  run: Run | undefined,
): [Operation<never>, object, Actor] | undefined {
  const by = isGood ? bob : ada
  if (what === 'start')
    return [startRun as Operation<never>, { id, executor, ...(uncounted ? { mode: 'plan' } : {}) }, by]
  if (what === 'change') return [updateTask as Operation<never>, { id, status }, by]
  if (run === undefined) return undefined
  const { plan, fence: now, phase: queued, since } = run.mutable
  if (what === 'approve') return [approveRun as Operation<never>, { id, plan_revision: plan?.revision ?? 0 }, by]
  if (what === 'cancel') return [cancelRun as Operation<never>, { id }, by]
  if (what === 'expire') return [expireRun as Operation<never>, { run: run.id, since }, worker]
  const next = what === 'begin' || what === 'lost' ? 1 : 0
  const session = { run: run.id, fence: Math.max(1, now + next + ahead) }
  if (what === 'begin') return [beginRun as Operation<never>, { ...session, phase: phase ?? queued }, worker]
  if (what === 'planned') return [runPlanned as Operation<never>, { ...session, text: 'A plan.', steps: [] }, worker]
  if (what === 'lost') return [runLost as Operation<never>, { ...session, uncounted }, worker]
  const result = { summary: 'Done.', links: [], task_status: status }
  const error = { code: 'executor_failed', message: 'It broke.' }
  return [
    runEnded as Operation<never>,
    { ...session, result: isGood ? result : null, error: isGood ? null : error },
    worker,
  ]
}

async function keepsPromises(on: World, ended: Map<string, string>, uncounted: number): Promise<void> {
  const found = await on.documents.find(records, { where: { workspace }, limit: 10_000 })
  const runs = found.filter((row) => row.kind === 'run')
  const documents = await on.documents.find(runStateDocuments, {
    where: { workspace, place: { in: ['occupied', 'free'] } },
    limit: 1_000,
  })
  const where = { workspace, audience: 'workspace', type: { in: ['run', 'change'] } }
  for (const task of found.filter((row) => row.kind === 'task')) {
    const happened = await on.documents.find(activities, { where: { ...where, task: task.id }, limit: 1_000 })
    const inOrder = happened.sort((a, b) => (a.id < b.id ? -1 : 1))
    const own = runs.filter(({ body }) => body.task === task.record_id).sort((a, b) => a.body.number - b.body.number)
    isNewestOf(task, own)
    changesOnlyItsOwn(inOrder)
    for (const run of own) followsProtocol(run, inOrder, uncounted)
  }
  for (const { id, mutable } of runs) {
    const { state, phase, since, fence, expires_at } = mutable
    const place = state === 'planning' || state === 'running' ? 'occupied' : 'free'
    const stored = documents.find((one) => one.id === id)
    expect(stored).toMatchObject({ state, phase, since, fence, place, expires_at: expires_at ?? '' })
    if (!hasEnded(state)) continue
    const now = JSON.stringify(mutable)
    expect(ended.get(id) ?? now, 'a run that has ended never changes').toBe(now)
    ended.set(id, now)
  }
  expect(documents.filter(({ place }) => place === 'occupied').length).toBeLessThanOrEqual(places)
}

function isNewestOf({ mutable }: RecordOf<'task'>, own: readonly Run[]): void {
  expect(own.map(({ body }) => body.number)).toEqual(own.map((_, at) => at + 1))
  const newest = own.at(-1)
  expect(mutable.run).toEqual(newest && { id: newest.id, number: newest.body.number, state: newest.mutable.state })
  for (const before of own.slice(0, -1)) expect(hasEnded(before.mutable.state)).toBe(true)
}

/** After a caller has set the status, no run changes it before the next start. */
function changesOnlyItsOwn(happened: readonly Activity[]): void {
  let mayChange = false
  for (const { run, changes, by } of happened) {
    if (run && run.from === undefined) mayChange = true
    if (!changes) continue
    if (by === 'precedent:run') expect(mayChange, 'the status was not set by a run').toBe(true)
    else mayChange = false
  }
}

const allowed: Record<RunState | 'none', readonly RunState[]> = {
  none: ['queued', 'awaiting_approval'],
  queued: ['planning', 'running', 'cancelled'],
  planning: ['awaiting_approval', 'queued', 'failed', 'cancelled'],
  awaiting_approval: ['queued', 'cancelled', 'expired'],
  running: ['queued', 'succeeded', 'failed', 'cancelled'],
  succeeded: [],
  failed: [],
  cancelled: [],
  expired: [],
}

function followsProtocol({ id, body, mutable }: Run, happened: readonly Activity[], uncounted: number): void {
  const steps = happened.flatMap(({ run }) => (run?.id === id ? [run] : []))
  let before: RunState | undefined
  for (const { from, state } of steps) {
    expect(from).toBe(before)
    expect(allowed[from ?? 'none']).toContain(state)
    before = state
  }
  expect(before).toBe(mutable.state)
  // what needs an approval is carried out only after one
  const { policy, approval } = mutable
  if (policy.verdict !== 'allow' && mutable.begun.run > 0) expect(approval).not.toBeNull()
  const most = body.repeatable ? startsOfRepeatable : 1
  for (const [phase, state] of [['plan', 'planning'] as const, ['run', 'running'] as const]) {
    expect(mutable.begun[phase]).toBeLessThanOrEqual(most)
    const begun = steps.filter((step) => step.state === state).length
    expect(begun).toBeLessThanOrEqual(most + (body.repeatable ? uncounted : 0))
  }
}
