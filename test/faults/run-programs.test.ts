/** Programs of runs that misbehave. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { applied, call } from '../support/http.ts'
import { startReceiver, type TestReceiver, webhookSecret } from '../support/receiver.ts'
import { skipIf } from '../support/skip.ts'
import { endOf, inState, isKept, milestonesOf, nothingLeft, whenTold } from './runs/kept.ts'
import { starts } from './runs/told.ts'
import { type ExecutorName, patience, type RunBody, startRun, startWorld, type Task, type World } from './runs/world.ts'

const notLinux = process.platform === 'linux' ? undefined : 'only Linux tells in /proc what is left of a session'
const timeout = 200_000
/** It looks like a credential. In two parts, because it is none. */
const token = `ghp${'_'}Zk3Qw8Rt5Yp1Lm7Nx2Vb9Hd4Jf6Gs0Cu1AeW`

describe.concurrent('a program', skipIf(notLinux), () => {
  let world: World
  let receiver: TestReceiver
  beforeAll(async () => {
    receiver = await startReceiver()
    const env = { PRECEDENT_NOTIFY_URL: receiver.url, PRECEDENT_NOTIFY_SECRET: webhookSecret }
    world = await startWorld('programs', { env, file: { http_hosts: ['127.0.0.1'] }, set: { TOKEN: token } })
  }, 180_000)
  afterAll(async () => {
    world.open()
    await world.worker().stop()
    expect(world.left()).toEqual([])
  })

  const start = (what: string, kind: ExecutorName = 'once') =>
    startRun(world.caller, { what, executor: `programs-${kind}` })

  async function ended(what: string, kind?: ExecutorName): Promise<RunBody> {
    const task = await start(what, kind)
    const run = await endOf(world.caller, task)
    await isKept(world, task)
    expect(starts(world.told(), task.run)).toBe(kind === 'deaf' ? 0 : 1)
    return run
  }

  it('that ignores SIGTERM ends, with all that it has forked, when its run is cancelled', { timeout }, async () => {
    const task = await start('stubborn')
    await whenTold(world, ({ event, run }) => event === 'stray' && run === task.run)
    await applied(world.caller, `/api/v2/tasks/${task.id}/run/cancel`, `cancel-${task.run}`, {})
    expect((await inState(world.caller, task, 'cancelled')).session?.state).toBe('cancelled')
    await noneOf(task)
    await endOf(world.caller, task)
    await isKept(world, task)
  })

  it('that leaves processes behind succeeds when they are ended', { timeout }, async () => {
    const task = await start('lingers')
    expect(await endOf(world.caller, task)).toMatchObject({ state: 'succeeded', session: { state: 'succeeded' } })
    expect(world.left(task.run)).toEqual([])
    await isKept(world, task)
  })

  it('that runs beyond its time limit fails, and nothing of it is left', { timeout }, async () => {
    const task = await start('beyond', 'short')
    expect(await endOf(world.caller, task)).toMatchObject({
      state: 'failed',
      error: { code: 'executor_failed', details: { reason: 'time_limit' } },
    })
    expect(world.left(task.run)).toEqual([])
    await isKept(world, task)
  })

  it('that prints 100 MB succeeds, and the end of it is kept', { timeout }, async () => {
    const { state, result, session } = await ended('flood')
    expect([state, result?.summary]).toEqual(['succeeded', expect.stringContaining('flood')])
    expect(session?.output_tail).toContain('the end of the flood')
  })

  it('that prints half a line at its end succeeds, and the half is output', { timeout }, async () => {
    const { state, result, session } = await ended('half')
    expect([state, result?.summary]).toEqual(['succeeded', expect.stringContaining('whole')])
    expect(session?.output_tail).toContain('{"type":"result","summary":"ha')
  })

  it('that ends its last line without an end of line is understood', { timeout }, async () => {
    expect(await ended('unended')).toMatchObject({
      state: 'succeeded',
      result: { summary: 'Done without an end of line' },
    })
  })

  it('that prints bytes which are no text succeeds', { timeout }, async () => {
    const task = await start('binary')
    expect(await endOf(world.caller, task)).toMatchObject({ state: 'succeeded' })
    const { milestones } = await milestonesOf(world.caller, task)
    expect(milestones.map(({ title }) => title)).toContain('after the bytes')
    await isKept(world, task)
  })

  it('that closes its output runs until it ends by itself', { timeout }, async () => {
    const task = await start('closes')
    await whenTold(world, ({ event, run }) => event === 'step' && run === task.run)
    expect((await inState(world.caller, task, 'running')).state).toBe('running')
    world.open('closes')
    expect(await endOf(world.caller, task)).toMatchObject({ state: 'succeeded' })
    expect(world.told().some(({ event, run }) => event === 'end' && run === task.run)).toBe(true)
    await isKept(world, task)
  })

  it('that ends at once succeeds or fails by its exit code', { timeout }, async () => {
    const [zero, three, deaf] = await Promise.all([ended('exits'), ended('fails'), ended('work', 'deaf')])
    expect(zero).toMatchObject({ state: 'succeeded', session: { exit_code: 0 } })
    expect(three).toMatchObject({ state: 'failed', error: { code: 'executor_failed' }, session: { exit_code: 3 } })
    expect(deaf).toMatchObject({ state: 'succeeded' })
  })

  it('that prints credentials shows them nowhere', { timeout }, async () => {
    const { caller } = world
    const [planned, failing] = await Promise.all([
      startRun(caller, { what: 'secret-plan', executor: 'programs-again', mode: 'plan' }),
      start('secret-fails'),
    ])
    const { plan } = await inState(caller, planned, 'awaiting_approval')
    await applied(caller, `/api/v2/tasks/${planned.id}/run/approve`, `approve-${planned.run}`, {
      plan_revision: plan?.revision,
    })
    expect(await endOf(caller, planned)).toMatchObject({ state: 'succeeded' })
    expect(await endOf(caller, failing)).toMatchObject({ state: 'failed', session: { exit_code: 4 } })
    await expectReceived(receiver, [planned, failing])
    const shown = await everythingShown(world, [planned, failing])
    for (const text of [shown, world.worker().log(), JSON.stringify(receiver.received), stored(world)]) {
      expect(text.includes(token)).toBe(false)
      // the key of a session
      expect(/svc_run_[A-Za-z0-9_-]{43}/.test(text)).toBe(false)
    }
    // they were printed
    expect(shown.match(/\[masked\]/g) ?? []).not.toHaveLength(0)
  })

  const noneOf = (task: Task) => nothingLeft(world, task.run)
})

async function expectReceived({ received }: TestReceiver, tasks: readonly Task[]): Promise<void> {
  const ofRuns = () => received.map(({ body }) => (body.data as { run_id: string }).run_id)
  await vi.waitFor(() => expect(ofRuns()).toEqual(expect.arrayContaining(tasks.map(({ run }) => run))), patience)
}

/** What calls answer about the runs. */
async function everythingShown({ caller }: World, tasks: readonly Task[]): Promise<string> {
  const get = async (path: string) => JSON.stringify((await call(caller, 'GET', path)).body)
  const ofTasks = tasks.flatMap(({ id }) => ['', '/run', '/run/subscribe'].map((path) => `/api/v2/tasks/${id}${path}`))
  const search = await call(caller, 'POST', '/v1/context/search', { q: 'used', limit: 50 })
  const texts = await Promise.all([...ofTasks, '/v1/receipts?limit=200', '/v1/context/brief'].map(get))
  return [...texts, JSON.stringify(search.body)].join('\n')
}

/** The files of the embedded store, with what SQLite has not overwritten yet. */
function stored({ dataDir }: World): string {
  const files = readdirSync(dataDir, { recursive: true, withFileTypes: true }).filter((one) => one.isFile())
  return files.map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'latin1')).join('')
}
