import { afterAll, beforeAll, expect, it } from 'vitest'
import type { RecordId } from '../../src/ids.ts'
import type { Documents } from '../../src/ports/documents.ts'
import { runStateDocuments } from '../../src/records/run.ts'
import { leases } from '../../src/runs/stored/lease.ts'
import { appendMilestones } from '../../src/runs/stored/milestone.ts'
import { runners } from '../../src/runs/stored/runner.ts'
import { applied, type Serving, send, serve } from '../http/serving.ts'
import { type Caller, folderOfTest, run, runJson, start } from './run.ts'

let serving: Serving
let documents: Documents
let ann: Caller
let ben: Caller
beforeAll(async () => {
  serving = await serve({
    around: (opened) => {
      documents = opened
      return opened
    },
  })
  // as a run worker does. There is no policy, so that its runs await approval
  const executors = [{ name: 'coder', plans: false, repeatable: false, capacity: 1 }]
  await documents.insert(runners, { id: 'worker-1', seen_at: new Date().toISOString(), executors })
  const scopes = ['tasks:read', 'tasks:write', 'tasks:run', 'tasks:approve'] as const
  const callerOf = async (user: string) => {
    return { url: serving.url, key: await serving.key([...scopes], { user }), state: folderOfTest() }
  }
  ann = await callerOf('ann')
  ben = await callerOf('ben')
})
afterAll(() => serving.stop())

async function task(): Promise<string> {
  const made = send(serving.url, 'POST', '/api/v2/tasks', {
    key: ann.key,
    body: { name: 'Paint the fence' },
    headers: { prefer: 'wait=20' },
  })
  return (await applied(made)).entity.id
}

async function report(id: string, title: string): Promise<void> {
  const { workspace, audience } = (await documents.get(runStateDocuments, id)) as never
  const at = new Date().toISOString()
  const items = [{ at, type: 'milestone' as const, title, session_id: `${id}-1` }]
  await appendMilestones(documents, { workspace, audience, run: id as RecordId, fence: 1, items, at }, 1)
}

it('starts a run, says what it waits for, and lets somebody else approve it', async () => {
  const id = await task()
  const explained = await run(ann, 'policy', 'explain', '--task', id)
  expect(explained).toMatchObject({ code: 0, stderr: '' })
  expect(explained.stdout).toMatch(/^A run awaits approval\.\n\nRule.*none: the default decides/s)
  const started = await run(ann, 'tasks', 'run', id, '--executor', 'coder', '--instructions', 'Twice.')
  // the id of the task, which the other commands take
  expect(started).toEqual({ code: 0, stdout: `${id}\n`, stderr: 'Started: run 1 is awaiting_approval.\n' })
  const shown = await run(ann, 'tasks', 'show', id)
  expect(shown.stdout).toMatch(/Run 1: awaiting_approval\n.*Executor +coder\n.*Approve with +--plan 0\n/s)
  const waiting = await run(ann, 'tasks', 'list', '--run-state', 'awaiting_approval')
  expect(waiting.stdout).toContain(id)
  expect((await run(ann, 'tasks', 'list', '--run-state', 'none')).stdout).not.toContain(id)
  const own = await run(ann, 'tasks', 'approve', id, '--plan', '0')
  expect(own.code).toBe(4)
  expect(own.stderr).toContain('Somebody else must approve this run')
  const without = await run(ben, 'tasks', 'approve', id)
  expect(without.code).toBe(2)
  expect(without.stderr).toContain(`precedent tasks show ${id}`)
  const approved = await run(ben, 'tasks', 'approve', id, '--plan', '0', '--note', 'Go on.')
  expect(approved).toMatchObject({ code: 0, stderr: 'Approved: run 1 is queued.\n' })
  const cancelled = await run(ann, 'tasks', 'cancel', id, '--reason', 'Rain.')
  expect(cancelled).toMatchObject({ code: 0, stderr: 'Cancelled: run 1 is cancelled.\n' })
  expect((await run(ann, 'tasks', 'cancel', id)).code).toBe(1)
})

it('watches a run until it ends, and fails if it was cancelled', async () => {
  const id = await task()
  const watching = start(ann, 'tasks', 'run', id, '--watch')
  await expect.poll(watching.stderr, { timeout: 60_000 }).toContain('Approve with')
  const answer = await send(serving.url, 'GET', `/api/v2/tasks/${id}/run`, { key: ann.key })
  const { id: runId } = answer.body
  await documents.update(leases, runId, { set: { fence: 1, holder: 'worker-1' } })
  await report(runId, 'Sanded\u001b[2J the fence')
  await run(ann, 'tasks', 'cancel', id)
  await documents.update(leases, runId, { set: { open: 0, holder: null } })
  const { code, stdout, stderr } = await watching.ended
  expect(code).toBe(1)
  const [first, milestone] = stdout.split('\n')
  expect(first).toBe(id)
  // nothing of it can control the terminal
  expect(milestone).toMatch(/^\d\d:\d\d:\d\d {2}Sanded\ufffd\[2J the fence$/)
  expect(stderr).toMatch(/Run 1: awaiting_approval.*cancelled\n.*Run 1: cancelled/s)
  const again = await runJson(ann, 'tasks', 'watch', id)
  expect(again).toMatchObject({ code: 1, body: { state: 'cancelled', done: true, milestones: [{ number: 1 }] } })
  const later = await runJson(ann, 'tasks', 'watch', id, '--after', '1')
  expect(later.body).toMatchObject({ milestones: [], next_after: 1 })
})

it('names the option that chooses an executor if there are several', async () => {
  const executors = [{ name: 'robot', plans: true, repeatable: false, capacity: 1 }]
  await documents.insert(runners, { id: 'worker-2', seen_at: new Date().toISOString(), executors })
  const message = /--executor: choose an executor: coder, robot/
  await expect
    .poll(async () => (await run(ann, 'tasks', 'run', await task())).stderr, { timeout: 30_000, interval: 1_000 })
    .toMatch(message)
  const added = await run(ann, 'tasks', 'add', 'Paint the gate', '--mode', 'plan')
  expect(added).toMatchObject({ code: 1, stderr: expect.stringMatching(message) })
})
