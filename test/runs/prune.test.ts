import { afterEach, beforeEach, expect, it } from 'vitest'
import type { RecordId } from '../../src/ids.ts'
import type { Clock } from '../../src/ports/clock.ts'
import { leases } from '../../src/runs/stored/lease.ts'
import { milestones } from '../../src/runs/stored/milestone.ts'
import { pruneRuns } from '../../src/runs/stored/prune.ts'
import { sessions } from '../../src/runs/stored/session.ts'
import { type World, workspace, world } from '../support/apply.ts'
import { make } from '../tasks/tasks.ts'
import { change, report, storeRun, storeSession } from './stored-run.ts'

let on: World
beforeEach(async () => {
  on = await world()
})
afterEach(() => on.close())

const day = 24 * 60 * 60_000
const inDays = (days: number): Clock => ({ ...on.clock, now: () => Date.parse('2026-01-01T00:00:00Z') + days * day })
const prune = (days: number) => pruneRuns({ documents: on.documents, clock: inDays(days) })

async function ended(since: number, open = 0): Promise<RecordId> {
  const run = await storeRun(on, await make(on))
  await report(on, run, 1, [{}, {}])
  await report(on, run, 3, [{}])
  await storeSession(on, run, 1, { output: 'printed' })
  await storeSession(on, run, 2, { output: 'printed' })
  const at = new Date(inDays(since).now()).toISOString()
  await change(on, run, { state: 'succeeded', since: at, ended_at: at }, { fence: 2, open })
  return run
}

async function leftOf(run: RecordId) {
  const batches = await on.documents.count(milestones, { where: { workspace, run }, upTo: 100 })
  const rows = await on.documents.find(sessions, { where: { workspace, run }, limit: 100 })
  const lease = await on.documents.get(leases, run)
  return [batches, rows.map(({ output }) => output), lease !== undefined]
}

const everything = [2, ['printed', 'printed'], true]

it('deletes milestones and output 30 days after the end of a run, and keeps its sessions', async () => {
  const run = await ended(5)
  expect(await prune(34)).toBe(0)
  expect(await leftOf(run)).toEqual(everything)
  expect(await prune(36)).toBe(1)
  expect(await leftOf(run)).toEqual([0, ['', ''], false])
  expect(await prune(36)).toBe(0)
})

it('keeps those of a run that has not ended, or whose milestones are not closed, however old it is', async () => {
  const open = await ended(5, 1)
  const active = await ended(5)
  await change(on, active, { state: 'running', since: new Date(inDays(5).now()).toISOString() })
  expect(await prune(400)).toBe(0)
  expect([await leftOf(open), await leftOf(active)]).toEqual([everything, everything])
})

it('prunes all runs of several pages', async () => {
  const [first, ...others] = [await ended(1), await ended(2)]
  const row = { workspace, fence: 1, beat: 0, holder: null, open: 0 }
  // leases of runs that were lost with their store, more than fit into a page
  const ids = Array.from({ length: 250 }, () => on.clock.id() as RecordId)
  await on.documents.insertMany(
    leases,
    ids.map((id) => ({ id, ...row })),
  )
  const last = await ended(3)
  expect(await prune(50)).toBe(3)
  for (const run of [first, ...others, last]) expect(await leftOf(run as RecordId)).toEqual([0, ['', ''], false])
})
