/** What callers must still be able to read of a run and its task, whatever has happened to its workers. */
import { expect, vi } from 'vitest'
import { type Caller, call } from '../../support/http.ts'
import { neverTwoAtOnce, type Told } from './told.ts'
import { patience, type RunBody, runOf, type Task, type World } from './world.ts'

const endStates = ['succeeded', 'failed', 'cancelled', 'expired']

/** The run, once it has ended and its milestones are closed. */
export async function endOf(caller: Caller, task: Task): Promise<RunBody> {
  await vi.waitFor(async () => expect((await milestonesOf(caller, task)).done).toBe(true), patience)
  return runOf(caller, task)
}

export async function endsAs(caller: Caller, task: Task, expected: object): Promise<RunBody> {
  const run = await endOf(caller, task)
  expect(run, JSON.stringify(run)).toMatchObject(expected)
  return run
}

export function inState(caller: Caller, task: Task, ...states: string[]): Promise<RunBody> {
  return vi.waitFor(async () => {
    const run = await runOf(caller, task)
    expect(states, JSON.stringify(run)).toContain(run.state)
    return run
  }, patience)
}

/** Resolves when programs have written such a line. */
export function whenTold(world: World, isIt: (one: Told) => boolean): Promise<void> {
  return vi.waitFor(() => {
    const told = world.told()
    if (told.some(isIt)) return
    const lines = told.map(({ event, run, fence }) => `${event} ${run}-${fence}`)
    throw new Error(`no program has written what ${isIt} seeks, only:\n${lines.join('\n')}\n${world.worker().log()}`)
  }, patience)
}

/** `run`: of this one alone. */
export function nothingLeft(world: World, run?: string): Promise<void> {
  return noneLeft(world, run, patience.timeout)
}

/** Within the time that the lease of a session leaves: the guard ends what nobody extends. */
export function endedByGuard(world: World): Promise<void> {
  return noneLeft(world, undefined, 40_000)
}

function noneLeft(world: World, run: string | undefined, timeout: number): Promise<void> {
  return vi.waitFor(() => expect(world.left(run)).toEqual([]), { timeout, interval: 200 })
}

interface Milestone {
  number: number
  type: string
  title: string
  session_id: string
}

interface Page {
  milestones: Milestone[]
  next_after: number
  done: boolean
}

export async function milestonesOf(caller: Caller, { id }: Task): Promise<{ milestones: Milestone[]; done: boolean }> {
  const milestones: Milestone[] = []
  for (let after = 0; ; ) {
    const { status, body } = await call<Page>(caller, 'GET', `/api/v2/tasks/${id}/run/subscribe?after=${after}`)
    expect(status, JSON.stringify(body)).toBe(200)
    milestones.push(...body.milestones)
    if (body.done || body.milestones.length === 0) return { milestones, done: body.done }
    after = body.next_after
  }
}

/** Nothing of what was there before has gone, and no two sessions of the run lived at once. */
export async function isKept(world: World, task: Task): Promise<void> {
  const { caller } = world
  const { milestones } = await milestonesOf(caller, task)
  expect(milestones.map(({ number }) => number)).toEqual(milestones.map((_, at) => at + 1))
  const fences = milestones.map(({ session_id }) => Number(session_id.slice(task.run.length + 1)))
  expect(fences, 'milestones of one session after the other').toEqual([...fences].sort((a, b) => a - b))
  for (const fence of new Set(fences)) {
    const steps = milestones.filter(({ title }, at) => fences[at] === fence && title.startsWith('Step '))
    expect(steps.map(({ title }) => title)).toEqual(steps.map((_, at) => `Step ${at + 1}`))
  }
  const { status, body } = await call<TaskBody>(caller, 'GET', `/api/v2/tasks/${task.id}`)
  expect([status, body.comments?.items.map((one) => one.body)]).toEqual([200, [`A comment on ${body.name}`]])
  const run = await runOf(caller, task)
  if (endStates.includes(run.state)) expect(run.sessions.filter(({ state }) => state === 'running')).toEqual([])
  neverTwoAtOnce(world.told())
}

interface TaskBody {
  name: string
  comments?: { items: { body: string }[] }
}
