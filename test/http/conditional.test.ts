import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Answer, applied, type Serving, send, serve, write } from './serving.ts'

const wait = { prefer: 'wait=20' }
let serving: Serving
let ann: string
let bob: string
beforeAll(async () => {
  serving = await serve()
  ann = await serving.key(['context:read', 'context:write'], { user: 'ann' })
  bob = await serving.key(['context:read', 'context:write'], { user: 'bob' })
})
afterAll(() => serving.stop())

async function made(path: string, key: string, body: object): Promise<string> {
  return (await applied(write(serving.url, path, { key, body, headers: wait }))).entity.id
}

const get = (path: string, key: string, etag?: string): Promise<Answer> =>
  send(serving.url, 'GET', path, { key, headers: etag === undefined ? {} : { 'if-none-match': etag } })
const etagOf = ({ headers }: Answer) => headers.get('etag') as string

const memories = '/v1/context/memories'
const decisions = '/v1/decisions'
const records: [string, string, object, (id: string) => object][] = [
  [
    'memory',
    memories,
    { kind: 'fact', content: 'The lease ends in May.' },
    (id) => ({ kind: 'correction', content: 'The lease ends in June.', corrects_memory_id: id }),
  ],
  [
    'decision',
    decisions,
    { title: 'Lease', judgment: 'Renew the lease.' },
    (id) => ({ title: 'Lease', judgment: 'Leave.', supersedes: [id] }),
  ],
]

describe.each(records)('a %s', (_, path, body, successor) => {
  it('answers 304 without a body as long as it has not changed, and 200 after a change', async () => {
    const id = await made(path, ann, body)
    const first = await get(`${path}/${id}`, ann)
    expect(first.headers.get('cache-control')).toBe('private, no-cache')
    const same = await get(`${path}/${id}`, ann, etagOf(first))
    expect({ status: same.status, body: same.body, etag: etagOf(same) }).toEqual({
      status: 304,
      body: '',
      etag: etagOf(first),
    })
    await made(path, ann, successor(id))
    const changed = await get(`${path}/${id}`, ann, etagOf(first))
    expect(changed.status).toBe(200)
    expect(etagOf(changed)).not.toBe(etagOf(first))
  })
})

it('the ETag of a record stays the same after a change that the caller does not see', async () => {
  const id = await made(decisions, ann, { title: 'Desks', judgment: 'Desks are shared.' })
  const before = await get(`${decisions}/${id}`, ann)
  const sources = [{ type: 'decision', id }]
  const hidden = { title: 'My desk', judgment: 'Mine is not shared.', sources, visibility: { scope: 'private' } }
  await made(decisions, bob, hidden)
  expect((await get(`${decisions}/${id}`, ann, etagOf(before))).status).toBe(304)
})

it('the answer for a missing record has no ETag', async () => {
  const { status, headers } = await get(`${memories}/00000000-0000-7000-8000-00000000dead`, ann, '*')
  expect({ status, etag: headers.get('etag') }).toEqual({ status: 404, etag: null })
})
