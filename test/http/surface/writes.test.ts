import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Request, type Serving, send, serve } from '../serving.ts'
import { currentRevision, decided, noteId, notes } from './surface.ts'

let serving: Serving
beforeAll(async () => {
  serving = await serve({ routes: notes.routes })
})
afterAll(() => serving.stop())
beforeEach(() => decided.splice(0))

const path = `/api/notes/${noteId}`
const otherPath = '/api/notes/0192d59f-0a11-7c22-8d33-4e445f556a67'
const wait = { prefer: 'wait=20' }
const patch = (to: string, request: Request) => send(serving.url, 'PATCH', to, { key: serving.adminKey, ...request })
const post = (to: string, request: Request) => send(serving.url, 'POST', to, { key: serving.adminKey, ...request })
const issueOf = (answer: { body: { details: { issues: { path: string; message: string }[] } } }) =>
  answer.body.details.issues[0]

describe('a write with a parameter in its path', () => {
  it('has the parameter in its input', async () => {
    const { status, body } = await patch(path, { body: { title: 'New' }, headers: wait })
    expect({ status, state: body.state, operation: body.operation }).toEqual({
      status: 200,
      state: 'applied',
      operation: 'note.patch',
    })
    expect(decided).toEqual([{ id: noteId, title: 'New' }])
  })

  it('hashes the parameter with the body: the same key for another id is a conflict', async () => {
    const headers = { ...wait, 'idempotency-key': 'one-key-two-ids' }
    const comments = (of: string) => post(`${of}/comments`, { body: { body: 'Yes.' }, headers })
    const first = await comments(path)
    expect((await comments(path)).body.receipt_id).toBe(first.body.receipt_id)
    expect((await comments(otherPath)).body.code).toBe('idempotency_conflict')
    expect(decided).toHaveLength(1)
  })

  it('refuses the parameter in the body, because it could name another note there', async () => {
    const answer = await patch(path, { body: { id: noteId, title: 'New' } })
    expect(answer.status).toBe(400)
    expect(issueOf(answer)).toEqual({ path: 'id', message: expect.stringContaining('leave it out of the body') })
  })

  it('answers 404 if the parameter cannot be an id, and 400 for a field of the body', async () => {
    expect((await patch('/api/notes/nothing', { body: { title: 'New' } })).body.code).toBe('not_found')
    const unknown = await patch(path, { body: { titel: 'New' } })
    expect(issueOf(unknown)).toEqual({ path: 'titel', message: 'unknown field: did you mean `title`?' })
    expect((await patch(path, { body: ['New'] })).body.code).toBe('invalid_request')
  })
})

describe('a write whose key is optional', () => {
  it('is a new write each time without a key', async () => {
    const comments = () => post(`${path}/comments`, { body: { body: 'Yes.' }, headers: wait })
    const answers = [await comments(), await comments()]
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    expect(answers.map(({ headers }) => headers.get('idempotent-replayed'))).toEqual([null, null])
    expect(new Set(answers.map(({ body }) => body.receipt_id)).size).toBe(2)
    expect(decided).toHaveLength(2)
  })

  it('follows the rules of keys with a key', async () => {
    const headers = { ...wait, 'idempotency-key': 'optional-but-given' }
    const comments = (body: string) => post(`${path}/comments`, { body: { body }, headers })
    const first = await comments('Yes.')
    const again = await comments('Yes.')
    expect(again.body).toEqual(first.body)
    expect(again.headers.get('idempotent-replayed')).toBe('true')
    expect((await comments('No.')).status).toBe(409)
    expect(
      (await post(`${path}/comments`, { body: { body: 'Yes.' }, headers: { 'idempotency-key': 'short' } })).status,
    ).toBe(400)
    expect(decided).toHaveLength(1)
  })

  it('does not make the key optional for writes of v1', async () => {
    const answer = await post('/v1/context/memories', { body: { kind: 'fact', content: 'Keys are required.' } })
    expect(issueOf(answer)).toMatchObject({ path: 'Idempotency-Key' })
  })
})

describe('If-Match', () => {
  const conditional = (ifMatch: string, title: string, headers: Record<string, string> = {}) =>
    patch(path, { body: { title }, headers: { 'if-match': ifMatch, ...headers } })

  it('lets one of two writes with the same revision win, and tells each without another request', async () => {
    const revision = currentRevision()
    const answers = await Promise.all(['First', 'Second'].map((title) => conditional(`"${revision}"`, title)))
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    expect(answers.map(({ body }) => body.state).sort()).toEqual(['applied', 'failed'])
    expect(answers.find(({ body }) => body.state === 'failed')?.body.error.code).toBe('revision_conflict')
    expect(decided).toEqual([expect.objectContaining({ if_revision: revision })])
  })

  it('compares the part before the dash of an ETag, also of a compressed answer', async () => {
    const etag = async () =>
      (await send(serving.url, 'GET', path, { key: serving.adminKey })).headers.get('etag') as string
    expect(await etag()).toMatch(new RegExp(`^"${currentRevision()}-[\\w-]{22}"$`))
    expect((await conditional(await etag(), 'By ETag')).body.state).toBe('applied')
    expect((await conditional(`W/${await etag()}`, 'By weak ETag')).body.state).toBe('applied')
    expect((await conditional('*', 'By star', wait)).body.state).toBe('applied')
  })

  it('is part of the hashed input', async () => {
    const headers = { ...wait, 'idempotency-key': 'one-key-two-revisions' }
    expect((await conditional(`"${currentRevision()}"`, 'Same', headers)).status).toBe(200)
    expect((await conditional(`"${currentRevision()}"`, 'Same', headers)).body.code).toBe('idempotency_conflict')
  })

  it.each(['3', '"x"', '""', '"0"', '"1", "2"', '"-abc"', 'W/3', '"1e3"', '"12345678901234567890"'])(
    'is refused as %s, and the answer names the header',
    async (ifMatch) => {
      const answer = await conditional(ifMatch, 'Malformed')
      expect(answer.status).toBe(400)
      expect(issueOf(answer)).toMatchObject({ path: 'If-Match' })
      expect(decided).toEqual([])
    },
  )

  it('cannot be sent in the body', async () => {
    const answer = await patch(path, { body: { if_revision: 1 } })
    expect(issueOf(answer)).toMatchObject({ path: 'if_revision' })
  })
})

describe('while nothing is applied', () => {
  let stopped: Serving
  beforeAll(async () => {
    stopped = await serve({ routes: notes.routes, work: false })
  })
  afterAll(() => stopped.stop())
  const unapplied = (headers: Record<string, string>) =>
    send(stopped.url, 'PATCH', path, { key: stopped.adminKey, body: { title: 'Open' }, headers })

  it('a conditional PATCH answers 202 at once with Prefer: wait=0, and an unconditional one without it', async () => {
    const answers = await Promise.all([unapplied({ 'if-match': '"1"', prefer: 'wait=0' }), unapplied({})])
    expect(answers.map(({ status }) => status)).toEqual([202, 202])
    expect(answers[0]?.headers.get('preference-applied')).toBe('wait=0')
  })

  it('a conditional PATCH waits for its end, until the server stops', async () => {
    const waiting = await serve({ routes: notes.routes, work: false })
    let isAnswered = false
    const answer = send(waiting.url, 'PATCH', path, {
      key: waiting.adminKey,
      body: { title: 'Open' },
      headers: { 'if-match': '"1"' },
    }).finally(() => {
      isAnswered = true
    })
    // the write is accepted, and a later call is answered before it
    await expect
      .poll(async () => (await send(waiting.url, 'GET', '/v1/receipts', { key: waiting.adminKey })).body.items.length)
      .toBe(1)
    expect(isAnswered).toBe(false)
    expect(await waiting.stop()).toBe(true)
    expect((await answer).status).toBe(202)
  })
})
