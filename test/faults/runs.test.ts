/**
 * Run workers that are killed, frozen and stopped, and guards that are killed, while programs run. Each test has a
 * worker of its own, so that all of them wait at the same time for leases to run out.
 */
import { describe, expect, it } from 'vitest'
import { applied, type Caller } from '../support/http.ts'
import { profile } from '../support/profile.ts'
import { full } from '../support/size.ts'
import { skipIf } from '../support/skip.ts'
import { endedByGuard, endOf, endsAs, inState, isKept, nothingLeft, whenTold } from './runs/kept.ts'
import { guardOf, starts } from './runs/told.ts'
import { runOf, sleep, startRun, startWorld, type Task, type World } from './runs/world.ts'

/** What the worker does with its processes makes no difference to the engines. */
const onEmbedded = skipIf(profile === 'scaled' ? 'tested on the embedded profile' : undefined)
const notLinux = process.platform === 'linux' ? undefined : 'only Linux tells in /proc what is left of a session'
/** ms. Far longer than on an idle machine. */
const timeout = full ? 1_200_000 : 600_000
/** ms. Longer than the lease of a session. */
const frozenFor = 65_000
/** Of a repeatable phase. */
const mostStarts = 3
const kills = full ? mostStarts : 1

describe.concurrent('a run', skipIf(notLinux), () => {
  it('goes on or fails as its executor says after its worker was killed', { timeout }, async () => {
    const world = await startWorld('killed')
    const { caller } = world
    const before = await begunTasks(world, 'killed')
    const earlier = await endedRun(world, 'killed')
    // these are taken about when the worker dies
    const late = ['again', 'once', 'again', 'once'].map(async (kind) => ({
      ...(await startRun(caller, task('killed', kind, 'late'))),
      most: kind === 'once' ? 1 : mostStarts,
    }))
    await Promise.race(late)
    await world.worker().kill()
    await nothingLeft(world)
    for (let kill = 1; kill < kills; kill++) {
      await world.startWorker()
      await whenTold(world, ({ run, fence }) => run === before.running.again.run && fence > 2 * kill)
      await world.worker().kill()
      await nothingLeft(world)
    }
    world.open()
    await world.startWorker()
    await goesOn(world, before)
    for (const one of await Promise.all(late)) {
      await endOf(caller, one)
      expect(starts(world.told(), one.run)).toBeLessThanOrEqual(one.most)
      await isKept(world, one)
    }
    await isKept(world, earlier)
    await world.worker().stop()
    await nothingLeft(world)
  })

  it('has one session at most although its worker was frozen for longer than the lease', { timeout }, async () => {
    const world = await startWorld('frozen')
    const before = await begunTasks(world, 'frozen')
    const frozen = world.worker()
    frozen.child.kill('SIGSTOP')
    const since = Date.now()
    await endedByGuard(world)
    world.open()
    await sleep(since + frozenFor - Date.now())
    frozen.child.kill('SIGCONT')
    await goesOn(world, before)
    expect(await frozen.stop()).toBe(0)
    await nothingLeft(world)
  })

  it('fails if the guard was killed, and later ones get a new guard', { timeout, ...onEmbedded }, async () => {
    const world = await startWorld('guard')
    const { caller } = world
    const [once, stubborn] = await Promise.all([
      startRun(caller, task('guard', 'once', 'work')),
      startRun(caller, task('guard', 'again', 'stubborn')),
    ])
    await whenTold(world, ({ event, run }) => event === 'step' && run === once.run)
    await whenTold(world, ({ event, run }) => event === 'stray' && run === stubborn.run)
    process.kill(guardOf(world.worker().child.pid), 'SIGKILL')
    for (const one of [once, stubborn]) {
      await endsAs(caller, one, { state: 'failed', error: { code: 'executor_failed' } })
      expect(world.left(one.run)).toEqual([])
      expect(starts(world.told(), one.run)).toBe(1)
      await isKept(world, one)
    }
    world.open()
    const next = await startRun(caller, task('guard', 'once', 'work'))
    await endsAs(caller, next, { state: 'succeeded', attempts: 1 })
    await world.worker().stop()
  })

  it('leaves no process behind if its worker and the guard died together', { timeout, ...onEmbedded }, async () => {
    const world = await startWorld('both')
    const { caller } = world
    const [again, once] = await Promise.all([
      startRun(caller, task('both', 'again', 'stubborn')),
      startRun(caller, task('both', 'once', 'stubborn')),
    ])
    for (const { run } of [again, once]) {
      await whenTold(world, (one) => one.event === 'stray' && one.run === run)
    }
    const worker = world.worker()
    const guard = guardOf(worker.child.pid)
    // so that the guard does not see the end of its worker
    process.kill(guard, 'SIGSTOP')
    await worker.kill()
    process.kill(guard, 'SIGKILL')
    expect(world.left().length).toBeGreaterThanOrEqual(6)
    await world.startWorker()
    await nothingLeft(world)
    world.open()
    await goesOn(world, { running: { again, once } })
    await world.worker().stop()
  })

  it('goes on without a counted attempt, or fails, if its worker stops in order', { timeout }, async () => {
    const world = await startWorld('stopped', { env: { PRECEDENT_RUN_DEADLINE_SECONDS: '25' } })
    const { caller } = world
    const [brief, again, once, stubborn, planning] = (await Promise.all(
      (
        [
          ['again', 'brief'],
          ['again', 'work'],
          ['once', 'work'],
          ['again', 'stubborn'],
          ['again', 'slow-plan', 'plan'],
        ] as const
      ).map(([kind, what, mode]) => startRun(caller, { ...task('stopped', kind, what), ...(mode ? { mode } : {}) })),
    )) as [Task, Task, Task, Task, Task]
    for (const { run } of [brief, again, once, stubborn, planning]) {
      await whenTold(world, (one) => one.event === 'step' && one.run === run)
    }
    const stopped = world.worker().stop()
    // a session may end while its worker stops
    world.open('brief')
    expect(await stopped, world.worker().log()).toBe(0)
    expect(world.left()).toEqual([])
    world.open()
    await world.startWorker()
    await endsAs(caller, brief, { state: 'succeeded', attempts: 1 })
    expect(starts(world.told(), brief.run)).toBe(1)
    for (const one of [again, stubborn]) {
      await endsAs(caller, one, { state: 'succeeded', attempts: 1 })
      expect(starts(world.told(), one.run)).toBe(2)
    }
    await endsAs(caller, once, { state: 'failed', error: { code: 'worker_lost' } })
    expect(starts(world.told(), once.run)).toBe(1)
    expect(await inState(caller, planning, 'awaiting_approval')).toMatchObject({ attempts: 1 })
    for (const one of [brief, again, once, stubborn, planning]) await isKept(world, one)
    await world.worker().stop()
  })
})

const task = (world: string, kind: string, what: string) => ({ executor: `${world}-${kind}`, what })

interface Pair {
  again: Task
  once: Task
}

/** Runs in each phase, by whether their executor is repeatable. */
interface Begun {
  running: Pair
  /** Only of a whole world. */
  others?: {
    planning: Pair
    ending: Pair
    /** Its session has printed a result. */
    resulted: Task
    awaiting: Task
    queued: Task
  }
}

async function begunTasks(world: World, name: string): Promise<Begun> {
  const { caller } = world
  const pair = async (what: string, mode: 'auto' | 'plan' = 'auto'): Promise<Pair> => {
    const start = (kind: string) => startRun(caller, { ...task(name, kind, what), mode })
    const [again, once] = await Promise.all([start('again'), start('once')])
    return { again, once }
  }
  const first = await startRun(caller, task(name, 'single', 'work'))
  await whenTold(world, ({ run }) => run === first.run)
  const [running, planning, resulted, awaiting, queued] = await Promise.all([
    pair('work'),
    pair('slow-plan', 'plan'),
    startRun(caller, task(name, 'again', 'result-first')),
    startRun(caller, { ...task(name, 'again', 'work'), mode: 'plan' }),
    startRun(caller, task(name, 'single', 'work')),
  ])
  for (const { run } of [running.again, running.once, planning.again, planning.once, resulted]) {
    await whenTold(world, (one) => one.event === 'step' && one.run === run)
  }
  await inState(caller, awaiting, 'awaiting_approval')
  // last, because it lasts only some seconds
  const ending = await pair('lingers')
  for (const { run } of [ending.again, ending.once]) {
    await whenTold(world, (one) => one.event === 'end' && one.run === run)
  }
  const waiting = await runOf(caller, queued)
  expect(waiting.state, JSON.stringify(waiting)).toBe('queued')
  return { running, others: { planning, ending, resulted, awaiting, queued } }
}

/** A task whose first run has ended. */
async function endedRun(world: World, name: string): Promise<Task> {
  world.open('brief')
  const ended = await startRun(world.caller, task(name, 'once', 'brief'))
  await endsAs(world.caller, ended, { state: 'succeeded' })
  return ended
}

/** After a fault: each run ends as the protocol says, and nothing is lost that was there before. */
async function goesOn(world: World, { running, others }: Begun): Promise<void> {
  const { caller } = world
  const lost = { state: 'failed', error: { code: 'worker_lost' } }
  await endsAs(caller, running.once, lost)
  const run = await endOf(caller, running.again)
  if (kills < mostStarts) expect(run).toMatchObject({ state: 'succeeded', attempts: kills + 1 })
  else expect(run).toMatchObject(lost)
  const told = world.told()
  expect(starts(told, running.once.run)).toBe(1)
  expect(starts(told, running.again.run)).toBe(run.attempts)
  for (const one of [running.again, running.once]) await isKept(world, one)
  if (others !== undefined) await othersGoOn(world, caller, others)
}

async function othersGoOn(world: World, caller: Caller, others: NonNullable<Begun['others']>): Promise<void> {
  const { planning, ending, resulted, awaiting, queued } = others
  await endsAs(caller, planning.once, { state: 'failed', error: { code: 'worker_lost' } })
  expect(starts(world.told(), planning.once.run, 'plan')).toBe(1)
  if (kills < mostStarts) {
    for (const one of [planning.again, awaiting]) {
      const { plan } = await inState(caller, one, 'awaiting_approval')
      // whoever approves approves the plan of a session that was believed
      expect(plan?.text).toBe(`Plan of ${one.run}-${Math.max(...fencesOf(world, one))}`)
      await approve(caller, one, plan?.revision as number)
      await endsAs(caller, one, { state: 'succeeded' })
    }
    const { result } = await endOf(caller, resulted)
    expect(result?.summary).toContain(`${resulted.run}-${Math.max(...fencesOf(world, resulted))}`)
  }
  // its session may have been believed until it was over
  const { state } = await endOf(caller, ending.once)
  expect(['succeeded', 'failed']).toContain(state)
  expect(starts(world.told(), ending.once.run)).toBe(1)
  await endOf(caller, ending.again)
  expect(starts(world.told(), ending.again.run)).toBeLessThanOrEqual(mostStarts)
  await endsAs(caller, queued, { state: 'succeeded' })
  for (const one of [planning.again, planning.once, ending.again, ending.once, resulted, awaiting, queued]) {
    await isKept(world, one)
  }
}

const fencesOf = (world: World, { run }: Task) =>
  world
    .told()
    .filter((one) => one.run === run && one.event === 'end')
    .map(({ fence }) => fence)

function approve(caller: Caller, { id, run }: Task, plan_revision: number): Promise<unknown> {
  return applied(caller, `/api/v2/tasks/${id}/run/approve`, `approve-${run}`, { plan_revision })
}
