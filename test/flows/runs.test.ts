import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { RecordId, WorkspaceId } from '../../src/ids.ts'
import type { Documents } from '../../src/ports/documents.ts'
import { records } from '../../src/records/record.ts'
import { leases } from '../../src/runs/stored/lease.ts'
import { milestoneBatchId, milestones } from '../../src/runs/stored/milestone.ts'
import { runners } from '../../src/runs/stored/runner.ts'
import { applied, type Body, type Serving, send, serve } from '../http/serving.ts'
import { EventSourceLike } from '../http/surface/events.ts'

let serving: Serving
let documents: Documents
let ann: string
let ben: string
beforeAll(async () => {
  serving = await serve({
    around: (opened) => {
      documents = opened
      return opened
    },
  })
  await announce()
  const scopes = ['tasks:read', 'tasks:write', 'tasks:run', 'tasks:approve'] as const
  ann = await serving.key([...scopes], { user: 'ann' })
  ben = await serving.key([...scopes], { user: 'ben' })
})
afterEach(() => EventSourceLike.closeAll())
afterAll(() => serving.stop())

/** As a run worker does. Its executor makes no plans, so that its runs wait at once: there is no policy. */
async function announce(): Promise<void> {
  const executors = [{ name: 'coder', plans: false, repeatable: false, capacity: 2 }]
  await documents.insert(runners, { id: 'worker-1', seen_at: new Date().toISOString(), executors })
}

const wait = { prefer: 'wait=20' }
const post = (path: string, body: object, key = ann) =>
  send(serving.url, 'POST', `/api/v2/tasks${path}`, { key, body, headers: wait })
const get = (path: string, key = ann, headers = {}) =>
  send(serving.url, 'GET', `/api/v2/tasks${path}`, { key, headers })
const task = async (): Promise<string> => (await applied(post('', { name: 'Paint the fence' }))).entity.id
const started = async (id: string): Promise<Body> => applied(post(`/${id}/run`, {}))

async function report(run: string, first: number, titles: readonly string[]): Promise<void> {
  const row = await documents.get(records, run, ['workspace', 'audience'])
  const { workspace, audience } = row as { workspace: WorkspaceId; audience: 'workspace' }
  const at = new Date().toISOString()
  const items = titles.map((title) => ({ at, type: 'milestone' as const, title, session_id: `${run}-1` }))
  const batch = { id: milestoneBatchId(run as RecordId, first), workspace, audience, run: run as RecordId, first }
  await documents.insert(milestones, { ...batch, fence: 1, items, at })
}

describe('a run', () => {
  it('is started, approved by somebody else, and cancelled for good', async () => {
    const id = await task()
    expect((await get(`/${id}/run`)).status).toBe(404)
    expect((await get(`/${id}/policy`)).body).toMatchObject({
      ...{ verdict: 'require_approval', rule: null, executor: 'coder', mode: 'auto', would: 'await_approval' },
    })
    const receipt = await started(id)
    expect(receipt.entity).toMatchObject({ type: 'run', url: expect.stringMatching(`/api/v2/tasks/${id}/run$`) })
    const waiting = (await get(`/${id}/run`)).body
    expect(waiting).toMatchObject({
      id: receipt.entity.id,
      state: 'awaiting_approval',
      fleet: { workers: 1, capacity: 2 },
    })
    expect(waiting.approval_url).toBe(receipt.approval_url)
    expect((await post(`/${id}/run`, {})).body.code).toBe('run_active')
    expect((await post(`/${id}/run/approve`, { plan_revision: 0 })).body.code).toBe('self_approval')
    expect((await post(`/${id}/run/approve`, { plan_revision: 1 }, ben)).body.code).toBe('plan_changed')
    await applied(post(`/${id}/run/approve`, { plan_revision: 0, note: 'Go on.' }, ben))
    expect((await get(`/${id}/run`)).body).toMatchObject({
      ...{ state: 'queued', phase: 'run', approval: { by: 'ben', note: 'Go on.' }, fleet: { queued: 1, position: 1 } },
    })
    await applied(post(`/${id}/run/cancel`, { reason: 'Not now.' }))
    expect((await post(`/${id}/run/cancel`, {})).body.code).toBe('run_ended')
    const { body } = await get(`/${id}`)
    expect(body.run).toMatchObject({ state: 'cancelled' })
    expect(body.activity.items.map(({ type, run }: Body) => [type, run?.state])).toEqual([
      ['run', 'cancelled'],
      ['run', 'queued'],
      ['run', 'awaiting_approval'],
    ])
    expect(body.activity.items[0].note).toBe('Not now.')
  })

  it('starts and is cancelled without a body', async () => {
    const id = await task()
    const call = (path: string) =>
      send(serving.url, 'POST', `/api/v2/tasks/${id}/run${path}`, { key: ann, headers: { prefer: 'wait=20' } })
    expect((await call('')).body.entity.type).toBe('run')
    expect((await call('/approve')).body.code).toBe('malformed_json')
    expect((await call('/cancel')).body.state).toBe('applied')
  })

  it('is not sent again to a reader who has it, as long as only the fleet has changed', async () => {
    const id = await task()
    await started(id)
    const { headers } = await get(`/${id}/run`)
    const known = { 'if-none-match': headers.get('etag') as string }
    const tag = (await get(`/${id}`)).headers.get('etag') as string
    await started(await task())
    await documents.update(runners, 'worker-1', { set: { executors: [] } })
    expect((await get(`/${id}/run`, ann, known)).status).toBe(304)
    expect((await get(`/${id}`, ann, { 'if-none-match': tag })).status).toBe(304)
    await documents.delete(runners, ['worker-1'])
    await announce()
    await applied(post(`/${id}/run/cancel`, {}))
    expect((await get(`/${id}/run`, ann, known)).status).toBe(200)
    expect((await get(`/${id}`, ann, { 'if-none-match': tag })).status).toBe(200)
  })
})

describe('the watchers of a run', () => {
  it('a long poll returns when a milestone is stored, when the state changes, and when the run ends', async () => {
    const id = await task()
    const run = (await started(id)).entity.id
    const page = (query: string) => get(`/${id}/run/subscribe?${query}`)
    const waiting = page('wait=30')
    await report(run, 1, ['one', 'two'])
    const { body, headers } = await waiting
    expect(body).toMatchObject({ run_id: run, state: 'awaiting_approval', next_after: 2, done: false })
    expect(body.milestones.map(({ number, title }: Body) => [number, title])).toEqual([
      [1, 'one'],
      [2, 'two'],
    ])
    expect(headers.get('vary')).toMatch(/accept/i)
    const next = page('after=2&wait=30&state=awaiting_approval')
    await applied(post(`/${id}/run/cancel`, {}))
    expect((await next).body).toMatchObject({ state: 'cancelled', milestones: [], next_after: 2 })
    // its lease was never taken
    expect((await page('after=2')).body.done).toBe(true)
    expect((await page('after=no')).status).toBe(400)
  })

  it('get events if they accept them, and 204 after the last one', async () => {
    const id = await task()
    const run = (await started(id)).entity.id
    await documents.update(leases, run, { set: { fence: 1, holder: 'worker-1' } })
    const open = (last?: string) =>
      EventSourceLike.open(`${serving.url}/api/v2/tasks/${id}/run/subscribe`, {
        authorization: `Bearer ${ann}`,
        accept: 'text/event-stream',
        ...(last === undefined ? {} : { 'last-event-id': last }),
      })
    const stream = await open()
    expect(stream.headers.get('content-type')).toMatch(/^text\/event-stream/)
    await stream.until(/awaiting_approval/)
    await report(run, 1, ['one'])
    await stream.until(/"title":"one"/)
    await applied(post(`/${id}/run/cancel`, {}))
    await stream.until(/cancelled/)
    await report(run, 2, ['two'])
    await documents.update(leases, run, { set: { open: 0, holder: null } })
    const events = [...(await stream.ended).matchAll(/^(?:id: (\d+)\n)?event: (\w+)$/gm)]
    expect(events.map(([, number, event]) => [event, number])).toEqual([
      ['state', undefined],
      ['milestone', '1'],
      ['state', undefined],
      ['milestone', '2'],
      ['done', '3'],
    ])
    const again = await (await open('1')).ended
    expect(again).toContain('"title":"two"')
    expect(again).not.toContain('"title":"one"')
    expect((await open('3')).status).toBe(204)
  })
})
