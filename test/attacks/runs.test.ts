/** Callers who watch, approve or cancel runs that are not theirs, or with keys that may not. */
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import type { Scope } from '../../src/access/actor.ts'
import type { Documents } from '../../src/ports/documents.ts'
import { leases } from '../../src/runs/stored/lease.ts'
import { runners } from '../../src/runs/stored/runner.ts'
import { applied, type Serving, send, serve } from '../http/serving.ts'
import { EventSourceLike } from '../http/surface/events.ts'

let serving: Serving
let documents: Documents
let ann: string
/** A private task of ann, whose run awaits approval. */
let task: string
const missing = '00000000-0000-7000-8000-00000000dead'

beforeAll(async () => {
  serving = await serve({
    limits: { streamKeyCheck: 50 },
    around: (opened) => {
      documents = opened
      return opened
    },
  })
  const executors = [{ name: 'coder', plans: false, repeatable: false, capacity: 1 }]
  await documents.insert(runners, { id: 'w', seen_at: new Date().toISOString(), executors })
  ann = await serving.key(['tasks:read', 'tasks:write', 'tasks:run', 'tasks:approve'], { user: 'ann' })
  const made = await applied(post('', ann, { name: 'Secret plan', visibility: { scope: 'private' } }))
  task = made.entity.id
  const run = (await applied(post(`/${task}/run`, ann, {}))).entity.id
  await documents.update(leases, run, { set: { fence: 1, holder: 'w' } })
})
afterEach(() => EventSourceLike.closeAll())
afterAll(() => serving.stop())

function post(path: string, key: string, body: object) {
  return send(serving.url, 'POST', `/api/v2/tasks${path}`, { key, body, headers: { prefer: 'wait=20' } })
}
const get = (path: string, key: string, headers = {}) =>
  send(serving.url, 'GET', `/api/v2/tasks${path}`, { key, headers })

const keyOf = (scopes: Scope[], user: string) => serving.key(scopes, { user })
const watch = (id: string, key: string) =>
  EventSourceLike.open(`${serving.url}/api/v2/tasks/${id}/run/subscribe`, {
    authorization: `Bearer ${key}`,
    accept: 'text/event-stream',
  })

it('a run of a task that the caller does not see is answered like one that does not exist', async () => {
  const eve = await keyOf(['tasks:read', 'tasks:write', 'tasks:run', 'tasks:approve', 'admin'], 'eve')
  for (const [method, path, body] of [
    ['GET', '/run', undefined],
    ['GET', '/policy', undefined],
    ['GET', '/run/subscribe?wait=1', undefined],
    ['POST', '/run', {}],
    ['POST', '/run/approve', { plan_revision: 0 }],
    ['POST', '/run/cancel', {}],
  ] as const) {
    const call = (id: string) =>
      send(serving.url, method, `/api/v2/tasks/${id}${path}`, { key: eve, ...(body ? { body } : {}) })
    const [hidden, none] = [await call(task), await call(missing)]
    expect(hidden.status, path).toBe(404)
    const { request_id: _, instance: __, ...told } = hidden.body
    expect(none.body).toMatchObject({ code: told.code, detail: told.detail })
  }
  expect((await watch(task, eve)).status).toBe(404)
})

it.each([
  ['reading', 'GET', '/run', 'tasks:read'],
  ['watching', 'GET', '/run/subscribe', 'tasks:read'],
  ['starting', 'POST', '/run', 'tasks:run'],
  ['approving', 'POST', '/run/approve', 'tasks:approve'],
  ['cancelling', 'POST', '/run/cancel', 'tasks:run'],
])('%s needs its own scope, however many others the key has', async (_, method, path, scope) => {
  const all: Scope[] = [
    'context:read',
    'context:write',
    'tasks:read',
    'tasks:write',
    'tasks:run',
    'tasks:approve',
    'admin',
  ]
  const key = await keyOf(
    all.filter((one) => one !== scope),
    'ann',
  )
  const body = path.endsWith('approve') ? { plan_revision: 0 } : {}
  const answer = await send(serving.url, method, `/api/v2/tasks/${task}${path}`, {
    key,
    ...(method === 'POST' ? { body } : {}),
  })
  expect(answer.status).toBe(403)
  expect(answer.body).toMatchObject({ code: 'insufficient_scope', details: { required_scope: scope } })
})

it('the user who started a run approves it with none of their keys', async () => {
  const other = await keyOf(['tasks:read', 'tasks:approve'], 'ann')
  for (const key of [ann, other]) {
    const answer = await post(`/${task}/run/approve`, key, { plan_revision: 0 })
    expect([answer.status, answer.body.code]).toEqual([403, 'self_approval'])
  }
})

it('a stream ends, and a long poll is refused, once the key is revoked', async () => {
  const made = await send(serving.url, 'POST', '/admin/keys', {
    key: serving.adminKey,
    body: { name: 'revoked', scopes: ['tasks:read'], user: 'ann' },
  })
  const { key, id } = made.body
  const stream = await watch(task, key)
  await stream.until(/event: state/)
  const polling = get(`/${task}/run/subscribe?wait=7`, key)
  // it waits by then
  await new Promise((resolve) => setTimeout(resolve, 500))
  expect((await send(serving.url, 'DELETE', `/admin/keys/${id}`, { key: serving.adminKey })).status).toBeLessThan(300)
  expect(await stream.ended).toMatch(/event: problem\ndata: .*authentication_required/)
  expect((await polling).status).toBe(401)
})
