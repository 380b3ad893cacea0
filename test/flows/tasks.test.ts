/** Tasks through HTTP: /api/v2/tasks. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Answer, type Body, type Serving, send, serve } from '../http/serving.ts'

const missing = '00000000-0000-7000-8000-00000000dead'
const tasks = '/api/v2/tasks'
let serving: Serving
let ann: string
let bob: string
beforeAll(async () => {
  serving = await serve()
  const scopes = ['context:read', 'context:write', 'tasks:read', 'tasks:write'] as const
  ann = await serving.key([...scopes], { user: 'ann' })
  bob = await serving.key([...scopes], { user: 'bob' })
})
afterAll(() => serving.stop())

const write = (method: string, path: string, body: object, key = ann, headers: Record<string, string> = {}) =>
  send(serving.url, method, path, { key, body, headers: { prefer: 'wait=20', ...headers } })
const read = (path: string, key = ann, headers: Record<string, string> = {}): Promise<Answer> =>
  send(serving.url, 'GET', path, { key, headers })

async function applied(answer: Promise<Answer>): Promise<Body> {
  const { body } = await answer
  expect(body.state, JSON.stringify(body)).toBe('applied')
  return body
}
const make = async (body: object, key = ann): Promise<string> =>
  (await applied(write('POST', tasks, { name: 'A task', ...body }, key))).entity.id
const patch = (id: string, body: object, key = ann, headers = {}) =>
  write('PATCH', `${tasks}/${id}`, body, key, headers)
const ids = ({ body }: Answer): string[] => body.items.map(({ id }: { id: string }) => id)

describe('a task', () => {
  it('is made, changed, commented on, read and listed, without idempotency keys', async () => {
    const receipt = await applied(
      write('POST', tasks, { name: 'Paint the fence', project: 'garden', labels: ['a, b'] }),
    )
    const { id } = receipt.entity
    expect(receipt).toMatchObject({
      operation: 'task.create',
      entity: { type: 'task', id, label: 'Paint the fence', url: `https://precedent.test/p${tasks}/${id}` },
    })
    expect(receipt).not.toHaveProperty('correction')
    await applied(patch(id, { status: 'in_progress', assignees: ['me'] }))
    const comment = await applied(write('POST', `${tasks}/${id}/comments`, { body: 'Half of it is green.' }, bob))
    expect(comment).toMatchObject({ operation: 'task.comment', entity: { type: 'comment' } })
    const { status, body } = await read(`${tasks}/${id}`)
    expect(status).toBe(200)
    expect(body).toMatchObject({
      ...{ id, name: 'Paint the fence', status: 'in_progress', assignees: ['ann'], revision: 2, created_by: 'ann' },
      comments: { items: [{ id: comment.entity.id, body: 'Half of it is green.', created_by: 'bob' }] },
      activity: { items: [{ by: 'ann', revision: 2 }] },
      subtasks: { items: [], count: 0 },
    })
    expect(ids(await read(`${tasks}?project=garden&status=in_progress,done&assignee=me`))).toEqual([id])
    expect(ids(await read(`${tasks}?label=${encodeURIComponent('a, b')}`))).toEqual([id])
    expect(ids(await read(`${tasks}?project=garden&assignee=me`, bob))).toEqual([])
    expect(ids(await read(`${tasks}?q=fence`))).toEqual([id])
  })

  it('with an external_id is changed by posting it again', async () => {
    const id = await make({ external_id: 'JIRA-1', priority: 'low' })
    expect(await make({ external_id: 'JIRA-1', name: 'Renamed' })).toBe(id)
    expect((await read(`${tasks}/${id}`)).body).toMatchObject({ name: 'Renamed', priority: 'low', revision: 2 })
  })

  it('needs the scopes of tasks', async () => {
    const context = await serving.key(['context:read', 'context:write'], { user: 'ann' })
    const reader = await serving.key(['tasks:read'], { user: 'ann' })
    const id = await make({})
    expect(await read(tasks, context)).toMatchObject({ status: 403, body: { code: 'insufficient_scope' } })
    expect((await read(tasks, reader)).status).toBe(200)
    expect((await patch(id, { status: 'done' }, reader)).status).toBe(403)
    expect((await write('POST', `${tasks}/${id}/comments`, { body: 'No.' }, reader)).status).toBe(403)
  })

  it('of another person does not exist', async () => {
    const id = await make({ name: 'Secret plan', visibility: { scope: 'private' } })
    const hidden = [
      await read(`${tasks}/${id}`, bob),
      await patch(id, { status: 'done' }, bob),
      await write('POST', `${tasks}/${id}/comments`, { body: 'Hi.' }, bob),
      await write('POST', tasks, { name: 'Part', parent_id: id }, bob),
    ]
    const unknown = [
      await read(`${tasks}/${missing}`, bob),
      await patch(missing, { status: 'done' }, bob),
      await write('POST', `${tasks}/${missing}/comments`, { body: 'Hi.' }, bob),
      await write('POST', tasks, { name: 'Part', parent_id: missing }, bob),
    ]
    const told = ({ status, body: { instance: _, request_id: __, ...body } }: Answer) => ({ status, body })
    expect(hidden.map(told)).toEqual(unknown.map(told))
    expect(hidden.map(({ status }) => status)).toEqual([404, 404, 404, 404])
    expect((await read(`${tasks}/no-id`, bob)).status).toBe(404)
    expect((await read(`${tasks}?q=secret+plan`, bob)).body.items).toEqual([])
  })
})

describe('If-Match', () => {
  it('lets one of two agents claim a task', async () => {
    const id = await make({})
    const { headers } = await read(`${tasks}/${id}`)
    const etag = headers.get('etag') as string
    expect(etag).toMatch(/^"1-/)
    // nobody asks to wait: a conditional change is waited for
    const claim = (key: string) =>
      send(serving.url, 'PATCH', `${tasks}/${id}`, { key, body: { assignees: ['me'] }, headers: { 'if-match': etag } })
    const both = await Promise.all([claim(ann), claim(bob)])
    const won = both.map(({ body }) => body.state === 'applied')
    expect(won.filter(Boolean), JSON.stringify(both)).toHaveLength(1)
    const lost = both[won.indexOf(false)] as Answer
    // refused at once, or in the journal
    expect(lost.body.error?.code ?? lost.body.code).toBe('revision_conflict')
    expect((await read(`${tasks}/${id}`)).body.assignees).toEqual([won[0] ? 'ann' : 'bob'])
    expect(await claim(bob)).toMatchObject({ status: 409, body: { code: 'revision_conflict' } })
  })

  it('is compared with the revision alone: a comment or another reader changes the ETag, not the revision', async () => {
    const id = await make({})
    const etag = async () => (await read(`${tasks}/${id}`)).headers.get('etag') as string
    const before = await etag()
    expect((await read(`${tasks}/${id}`, ann, { 'if-none-match': before })).status).toBe(304)
    await applied(write('POST', `${tasks}/${id}/comments`, { body: 'Hello.' }))
    expect(await etag()).not.toBe(before)
    expect((await read(`${tasks}/${id}`, ann, { 'if-none-match': before })).status).toBe(200)
    await applied(patch(id, { status: 'done' }, ann, { 'if-match': before }))
    expect((await patch(id, { status: 'todo' }, ann, { 'if-match': 'one' })).body).toMatchObject({
      code: 'invalid_request',
      details: { issues: [{ path: 'If-Match' }] },
    })
  })
})

describe('enrichment', () => {
  const decide = async (body: object): Promise<string> =>
    (await applied(write('POST', '/api/v2/decisions', body))).entity.id

  it('has what bears on a task, with citations', async () => {
    const named = await decide({ title: 'Use copper pipes', judgment: 'They last.' })
    const found = await decide({ title: 'Heat the greenhouse by gas', judgment: 'The greenhouse has a gas boiler.' })
    const id = await make({ name: 'Repair the greenhouse boiler', decision_ids: [named] })
    const { enrichment } = (await read(`${tasks}/${id}`)).body
    expect(enrichment.decisions.map((one: Body) => one.id)).toEqual([named, found])
    expect(enrichment.citations).toMatchObject([{ id: named }, { id: found }])
    expect(enrichment.markdown).toMatch(/\*\*Use copper pipes\*\*: .*\[1\]/)
    expect(enrichment.degraded).toBe(false)
  })

  it('is not part of the ETag', async () => {
    const id = await make({ name: 'Prune the orchard' })
    const { body, headers } = await read(`${tasks}/${id}`)
    const etag = headers.get('etag') as string
    expect(etag).toMatch(/^"1-[\w-]{22}"$/)
    expect((await read(`${tasks}/${id}?enrichment=none`)).headers.get('etag')).toBe(etag)
    await decide({ title: 'Prune the orchard in March', judgment: 'Never in frost.' })
    const after = await read(`${tasks}/${id}`)
    expect(after.body.enrichment.decisions).not.toEqual(body.enrichment.decisions)
    expect(after.headers.get('etag')).toBe(etag)
    expect((await read(`${tasks}/${id}`, ann, { 'if-none-match': etag })).status).toBe(304)
  })

  it('is left out if it is not wanted or the key may not read the context', async () => {
    const id = await make({ name: 'Prune the orchard' })
    const reader = await serving.key(['tasks:read'], { user: 'ann' })
    expect((await read(`${tasks}/${id}?enrichment=none`)).body).not.toHaveProperty('enrichment')
    expect((await read(`${tasks}/${id}`, reader)).body).not.toHaveProperty('enrichment')
    expect(await read(`${tasks}/${id}?enrichment=all`)).toMatchObject({
      status: 400,
      body: { details: { issues: [{ path: 'enrichment' }] } },
    })
  })
})

describe('a list', () => {
  it('has pages in each order', async () => {
    const due = ['2027-03-01T00:00:00Z', undefined, '2027-01-01T00:00:00Z']
    const priority = ['low', 'urgent', 'none']
    const made: string[] = []
    for (const [at, due_at] of due.entries()) {
      made.push(await make({ project: 'paged', priority: priority[at], ...(due_at ? { due_at } : {}) }))
    }
    await applied(patch(made[1] as string, { inbox_status: 'read' }))
    const paged = async (sort: string): Promise<string[]> => {
      const found: string[] = []
      for (let cursor = '', more = true; more; ) {
        const { body } = await read(`${tasks}?project=paged&sort=${sort}&limit=1${cursor}`)
        found.push(...body.items.map(({ id }: { id: string }) => id))
        cursor = `&cursor=${body.next_cursor}`
        more = body.has_more
      }
      return found
    }
    const [a, b, c] = made
    expect(await paged('created')).toEqual([a, b, c])
    expect(await paged('updated')).toEqual([a, c, b])
    expect(await paged('due')).toEqual([c, a, b])
    expect(await paged('priority')).toEqual([b, a, c])
  })

  it('names what is wrong with a parameter', async () => {
    for (const [query, path] of [
      ['status=open', 'status[0]'],
      ['stauts=done', 'stauts'],
      ['q=x&sort=due', 'sort'],
      ['limit=201', 'limit'],
      ['parent_id=1', 'parent_id[0]'],
      ['updated_since=yesterday', 'updated_since'],
    ]) {
      const { status, body } = await read(`${tasks}?${query}`)
      expect([status, JSON.stringify(body.details ?? body)]).toEqual([400, expect.stringContaining(path as string)])
    }
  })
})

describe('other reads', () => {
  it('of the brief show work in hand, if the key has the scope tasks:read', async () => {
    const id = await make({ name: 'Rebuild the sundial', status: 'blocked', priority: 'urgent' })
    const briefOf = async (key: string) => (await read('/v1/context/brief?query=sundial', key)).body
    const told = await briefOf(ann)
    expect(told.work[0]).toMatchObject({ id, name: 'Rebuild the sundial', status: 'blocked' })
    expect(told.markdown).toContain('- **Rebuild the sundial** (blocked, urgent) [')
    const reader = await briefOf(await serving.key(['context:read'], { user: 'ann' }))
    expect(reader.work).toEqual([])
    expect(reader.markdown).not.toContain('sundial**')
  })

  it('of search and sync show tasks', async () => {
    const sync = async (cursor?: string) =>
      (
        await send(serving.url, 'POST', '/v1/context/sync', {
          key: ann,
          body: { limit: 200, ...(cursor ? { cursor } : {}) },
        })
      ).body
    const { cursor } = await sync()
    const id = await make({ name: 'Repair the lighthouse', description: 'Its lens is cracked.' })
    const search = async (body: object) =>
      (await send(serving.url, 'POST', '/v1/context/search', { key: ann, body })).body
    const url = `https://precedent.test/p${tasks}/${id}`
    const source = { type: 'task', id, url }
    expect((await search({ q: 'lighthouse lens' })).items).toMatchObject([
      { id, snippet: 'Its lens is cracked.', source },
    ])
    expect((await search({ references: [{ type: 'task', id }] })).items).toMatchObject([{ id, source }])
    expect((await sync(cursor)).changes).toMatchObject({
      ...{ knowledge: [], decisions: [] },
      work: [{ id, kind: 'task', title: 'Repair the lighthouse', change_type: 'upsert', source }],
    })
    const found = (
      await send(serving.url, 'POST', '/v1/decisions/search', { key: ann, body: { q: 'lighthouse lens' } })
    ).body
    expect(found.items).toEqual([])
  })
})
