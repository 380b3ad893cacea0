import { afterEach, beforeEach, expect, it } from 'vitest'
import type { RunnerExecutor } from '../../src/records/run-rules.ts'
import { policies, runRulesOf, theOnePolicy } from '../../src/runs/deciding/rules.ts'
import { runners } from '../../src/runs/stored/runner.ts'
import { forgetAllRunners } from '../../src/runs/worker/publish-runner.ts'
import { type World, world } from '../support/apply.ts'
import { coder, robot } from './runs.ts'

const start = Date.parse('2026-01-01T00:00:00.000Z')
const minute = 60_000
let on: World
let now: number
let elapsed: number
beforeEach(async () => {
  on = await world()
  await on.documents.declare([policies, runners])
  now = start
  elapsed = 0
})
afterEach(() => on.close())

const settings = { approvalDays: 7, runsPerWorkspace: 10, notifies: false }
const rules = () => runRulesOf(on.documents, { ...on.clock, now: () => now, elapsed: () => elapsed }, settings)
const seen = (id: string, minutes: number, executors: RunnerExecutor[]) =>
  on.documents.insert(runners, { id, seen_at: new Date(start + minutes * minute).toISOString(), executors })

it('there are none if nobody has published anything', async () => {
  expect(await rules()()).toEqual({ ...settings, policy: undefined, executors: [] })
})

it('the policy is the one that maintain has published last', async () => {
  const policy = { default: 'allow' as const, rules: [] }
  const stored = { id: theOnePolicy, hash: 'a', at: new Date(start).toISOString() }
  await on.documents.upsertIfNewer(
    policies,
    [{ ...stored, version: 1, policy: { ...policy, default: 'deny' } }],
    'version',
  )
  await on.documents.upsertIfNewer(policies, [{ ...stored, version: 2, policy }], 'version')
  expect((await rules()()).policy).toEqual({ version: 2, policy })
})

it('the executors are those of all workers seen within 5 minutes, each as the worker seen last has it', async () => {
  await seen('gone', -6, [{ ...robot, name: 'gone' }])
  await seen('first', -4, [coder, robot])
  await seen('second', -1, [{ ...coder, repeatable: false }])
  expect((await rules()()).executors).toEqual([{ ...coder, repeatable: false }, robot])
})

it('a process that has all workers starts without executors of the process before it', async () => {
  await seen('before', 0, [coder])
  // the clock was set back since
  await seen('ahead', 60, [robot])
  await forgetAllRunners(on.documents)
  expect((await rules()()).executors).toEqual([])
})

it('they are read again after a second', async () => {
  const read = rules()
  await seen('first', 0, [coder])
  expect((await read()).executors).toEqual([coder])
  await seen('second', 0, [robot])
  elapsed = 999
  expect((await read()).executors).toEqual([coder])
  elapsed = 1_000
  expect((await read()).executors).toEqual([coder, robot])
})

it('the first executor is there as soon as its worker has announced it', async () => {
  const read = rules()
  expect((await read()).executors).toEqual([])
  await seen('first', 0, [coder])
  expect((await read()).executors).toEqual([coder])
})
