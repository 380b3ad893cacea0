import { join } from 'node:path'
import { pino } from 'pino'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { sessionKeys } from '../../src/access/session-keys.ts'
import { workspaces } from '../../src/access/workspaces.ts'
import { inProcessQueue } from '../../src/adapters/in-process/queue.ts'
import { writeBackup } from '../../src/backup/file.ts'
import { restoreBackup } from '../../src/backup/restore.ts'
import { takeBackup } from '../../src/backup/take.ts'
import { collections } from '../../src/collections.ts'
import type { RecordId } from '../../src/ids.ts'
import { entries } from '../../src/journal/entry.ts'
import type { Collection, Document, Documents } from '../../src/ports/documents.ts'
import { approveRun } from '../../src/runs/approve.ts'
import { cancelRun } from '../../src/runs/cancel.ts'
import { getRun } from '../../src/runs/get.ts'
import { startRun } from '../../src/runs/start.ts'
import { submit } from '../../src/runs/steps/submit.ts'
import { leases } from '../../src/runs/stored/lease.ts'
import { milestones } from '../../src/runs/stored/milestone.ts'
import { runners } from '../../src/runs/stored/runner.ts'
import { report, storeSession } from '../runs/stored-run.ts'
import { openWorld, quiet, type World, workspace } from '../support/apply.ts'
import { ask, readsOf } from '../support/ask.ts'
import { randomOf } from '../support/chaos.ts'
import { temporaryFolder } from '../support/clean-up.ts'
import { done, get, make, eve as other, ada as person } from '../tasks/tasks.ts'

const ada = { ...person, scopes: [...person.scopes, 'tasks:run' as const, 'tasks:approve' as const] }
const eve = { ...other, scopes: ada.scopes }
let source: World
let target: World
let file: string

beforeEach(async () => {
  file = join(temporaryFolder('precedent-runs-'), 'backup.gz')
  source = await openWorld(randomOf(1))
  target = await openWorld(randomOf(2), '2026-06-01T00:00:00Z')
  const made = { id: workspace, name: 'test', type: 'company' as const, created_at: '2026-01-01T00:00:00.000Z' }
  await source.documents.insert(workspaces, made)
  source.rules.executors = [{ name: 'coder', plans: true, repeatable: true, capacity: 2 }]
  source.rules.policy = { version: 1, policy: { default: 'allow', rules: [] } }
})
afterEach(async () => {
  await source.close()
  await target.close()
})

async function start(): Promise<{ task: string; run: RecordId }> {
  const task = await make(source)
  const receipt = await done(source, startRun, { id: task }, ada)
  return { task, run: receipt.entity?.id as RecordId }
}

async function begin(run: RecordId, fence: number): Promise<void> {
  await source.documents.update(leases, run, { set: { fence, holder: 'worker-1' } })
  const input = { fence, phase: 'run' }
  await submit(source.portsOf(source), 'run', { operation: 'run.begin', workspace, run, of: fence, input })
  await quiet(source)
  await storeSession(source, run, fence)
}

async function backUp(documents: Documents = source.documents): Promise<void> {
  await writeBackup(file, takeBackup(documents, source.clock), new AbortController().signal)
}
const restore = (days?: number) =>
  restoreBackup(file, { ...target, queue: inProcessQueue(target.clock) }, pino({ level: 'silent' }), days)

const shown = async (task: string) => ask(await readsOf(target), getRun, { id: task }, ada)

it('a run that had not ended awaits approval after a restore, and goes on once it is approved', async () => {
  const [running, queued] = [await start(), await start()]
  await begin(running.run, 3)
  await report(source, running.run, 1, [{}, {}])
  await backUp()
  const before = (await target.documents.find(entries, { where: { workspace }, limit: 100 })).length
  expect(before).toBe(0)
  await restore(2)
  const now = await shown(running.task)
  expect(now).toMatchObject({ state: 'awaiting_approval', phase: 'run', session: { state: 'lost' } })
  expect(Date.parse(now.expires_at as string) - target.clock.now()).toBeGreaterThan(24 * 60 * 60_000)
  expect(Date.parse(now.expires_at as string) - target.clock.now()).toBeLessThan(3 * 24 * 60 * 60_000)
  expect(await shown(queued.task)).toMatchObject({ state: 'awaiting_approval' })
  expect(await get(target, running.task)).toMatchObject({ inbox_status: 'unread', run: { state: 'awaiting_approval' } })
  expect(await target.documents.get(leases, running.run)).toMatchObject({ fence: 3, holder: null, beat: 0, open: 1 })
  expect(await target.documents.get(leases, queued.run)).toMatchObject({ fence: 0, holder: null, open: 1 })
  await done(target, approveRun, { id: running.task, plan_revision: 0 }, eve)
  expect(await shown(running.task)).toMatchObject({ state: 'queued', phase: 'run' })
})

it('a run that has ended stays as it is, and its lease is made anew', async () => {
  const { task, run } = await start()
  await begin(run, 1)
  await done(source, cancelRun, { id: task }, ada)
  await backUp()
  await restore()
  expect(await shown(task)).toMatchObject({ state: 'cancelled' })
  expect(await target.documents.get(leases, run)).toMatchObject({ fence: 1, holder: null, open: 1 })
})

it('a backup holds no leases, workers or keys of sessions', async () => {
  const { run } = await start()
  await source.documents.insert(runners, { id: 'worker-1', seen_at: '2026-01-01T00:00:00.000Z', executors: [] })
  const key = { id: `${run}-1`, workspace, hash: 'h', run, fence: 1, user: null, teams: [], scopes: [] }
  await source.documents.insert(sessionKeys, { ...key, expires_at: '2030-01-01T00:00:00.000Z' })
  const names = new Set<string>()
  for await (const line of takeBackup(source.documents, source.clock)) {
    const parsed: unknown = JSON.parse(line)
    if (Array.isArray(parsed)) names.add(parsed[0])
  }
  for (const { name } of [leases, runners, sessionKeys]) {
    expect(collections.map((one) => one.name)).toContain(name)
    expect(names).not.toContain(name)
  }
  expect(names).toContain('run_states')
})

it('a run that ends while the backup is taken has all of its milestones', async () => {
  const { task, run } = await start()
  await begin(run, 1)
  let isOver = false
  const find: Documents['find'] = async (collection, query) => {
    // the run ends after the copy of all rows, and before the newest entries are read
    if ((collection as Collection<Document>).name === workspaces.name && !isOver) {
      isOver = true
      await report(source, run, 1, [{}, {}, {}])
      const input = { fence: 1, result: { summary: 'Done.', links: [] }, error: null }
      await submit(source.portsOf(source), 'run', { operation: 'run.ended', workspace, run, of: 1, input })
      await quiet(source)
    }
    return source.documents.find(collection, query)
  }
  await backUp({ ...source.documents, find })
  await restore()
  expect(await shown(task)).toMatchObject({ state: 'succeeded' })
  expect((await target.documents.find(milestones, { where: { workspace, run }, limit: 9 }))[0]?.items).toHaveLength(3)
})
