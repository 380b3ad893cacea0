import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { listReceiptsOutput } from '../../src/receipts/list.ts'
import { receiptResponse } from '../../src/receipts/present.ts'
import { publicUrl, type Serving, send, serve, write } from './serving.ts'

const path = '/v1/context/memories'
let serving: Serving
let ann: string
beforeAll(async () => {
  serving = await serve()
  ann = await serving.key(['context:read', 'context:write'], { user: 'ann' })
})
afterAll(() => serving.stop())

const fact = (content: string) => ({ kind: 'fact', content })
const wait = { prefer: 'wait=20' }

describe('a write', () => {
  it('answers 202 with the receipt and where to find it, then 200 once it has ended', async () => {
    const headers = { 'idempotency-key': 'write-and-poll' }
    const body = fact('The office closes at six.')
    const first = await send(serving.url, 'POST', path, { key: ann, body, headers })
    expect([200, 202]).toContain(first.status)
    const receipt = receiptResponse.parse(first.body)
    expect(receipt.operation).toBe('context.remember')
    expect(first.headers.get('location')).toBe(`${publicUrl}/v1/receipts/${receipt.receipt_id}`)
    const ended = await send(serving.url, 'GET', `/v1/receipts/${receipt.receipt_id}?wait=20`, { key: ann })
    expect(receiptResponse.parse(ended.body)).toMatchObject({
      state: 'applied',
      entity: { type: 'memory', label: 'The office closes at six.' },
      correction: { available: true },
    })
    const again = await send(serving.url, 'POST', path, { key: ann, body, headers })
    expect(again.status).toBe(200)
    expect(again.body).toEqual(ended.body)
    expect([first, again].map(({ headers }) => headers.get('idempotent-replayed'))).toEqual([null, 'true'])
  })

  it('waits for the end with Prefer: wait, and says how long in Preference-Applied', async () => {
    const { status, headers, body } = await write(serving.url, path, {
      key: ann,
      body: fact('Tea is at four.'),
      headers: wait,
    })
    expect({ status, state: body.state, applied: headers.get('preference-applied') }).toEqual({
      status: 200,
      state: 'applied',
      applied: 'wait=20',
    })
  })

  it('ignores an unknown preference, and shortens a wait that is too long', async () => {
    const headers = { prefer: 'respond-async, wait=soon' }
    const ignored = await write(serving.url, path, { key: ann, body: fact('Lunch is at one.'), headers })
    expect(ignored.headers.get('preference-applied')).toBeNull()
    const cut = { prefer: 'respond-async, wait=4000' }
    const long = await write(serving.url, path, { key: ann, body: fact('Dinner is at eight.'), headers: cut })
    expect(long.headers.get('preference-applied')).toBe('wait=30')
  })

  it('treats an input with an explicit default like one without the field', async () => {
    const memory = fact('Bicycles stand in the yard.')
    const decision = { title: 'Bicycles', judgment: 'They stand in the yard.' }
    for (const [to, body] of [
      [path, memory],
      ['/v1/decisions', decision],
    ] as const) {
      const headers = { 'idempotency-key': 'with-and-without' }
      const left = await send(serving.url, 'POST', to, { key: ann, body, headers })
      const said = { ...body, visibility: { scope: 'workspace' }, sources: [] }
      const again = await send(serving.url, 'POST', to, { key: ann, body: said, headers })
      // a refusal names the receipt too
      expect(again.status, JSON.stringify(again.body)).toBeLessThan(203)
      expect(again.body.receipt_id).toBe(left.body.receipt_id)
      const other = { ...body, visibility: { scope: 'private' } }
      expect((await send(serving.url, 'POST', to, { key: ann, body: other, headers })).status).toBe(409)
    }
  })

  it('accepts the idempotency key in the header, in the body, or the same in both', async () => {
    const body = fact('The door code changes monthly.')
    const key = 'schlüssel-1'
    const inBody = await send(serving.url, 'POST', path, { key: ann, body: { ...body, idempotency_key: key } })
    expect(inBody.status, JSON.stringify(inBody.body)).toBeLessThan(203)
    const utf8 = Buffer.from(key).toString('latin1')
    const header = { 'idempotency-key': utf8 }
    const inHeader = await send(serving.url, 'POST', path, { key: ann, body, headers: header })
    expect(inHeader.status, JSON.stringify(inHeader.body)).toBeLessThan(203)
    expect(inHeader.body.receipt_id).toBe(inBody.body.receipt_id)
    const both = { key: ann, body: { ...body, idempotency_key: key }, headers: header }
    const inBoth = await send(serving.url, 'POST', path, both)
    expect(inBoth.status, JSON.stringify(inBoth.body)).toBeLessThan(203)
    expect(inBoth.body.receipt_id).toBe(inBody.body.receipt_id)
  })

  it.each([
    ['none', {}, {}],
    ['one that is too short', { 'idempotency-key': 'short' }, {}],
    ['one that is too long', { 'idempotency-key': 'x'.repeat(201) }, {}],
    ['two that differ', { 'idempotency-key': 'one-of-them' }, { idempotency_key: 'the-other-one' }],
    ['one that is no string', {}, { idempotency_key: 12345678 }],
  ])('refuses %s as idempotency key and stores nothing', async (_, headers, more) => {
    const content = `never written: ${JSON.stringify([headers, more])}`
    const refused = await send(serving.url, 'POST', path, { key: ann, body: { ...fact(content), ...more }, headers })
    expect({ status: refused.status, code: refused.body.code }).toEqual({ status: 400, code: 'invalid_request' })
    expect(refused.body.details.issues[0].path.toLowerCase().replace('-', '_')).toBe('idempotency_key')
    const { body } = await send(serving.url, 'GET', '/v1/receipts', { key: ann })
    expect(JSON.stringify(body)).not.toContain('never written')
  })

  it('names every wrong field and every unknown field', async () => {
    const body = { kind: 'rumour', content: '', sources: [{ type: 'doc' }, { type: 'doc', url: 'nowhere' }], colour: 1 }
    const refused = await write(serving.url, path, { key: ann, body })
    expect(refused.status).toBe(400)
    const paths = refused.body.details.issues.map((issue: { path: string }) => issue.path)
    expect(paths).toEqual(expect.arrayContaining(['kind', 'content', 'sources[1].url', 'colour']))
  })

  it('does not store a credential, and says so in a rejected receipt', async () => {
    const secret = `AKIA${'IOSFODNN7EXAMPLQ'}`
    const content = `aws_access_key_id = ${secret}\naws_secret_access_key = wJalrXUtnFEMIK7MDENGbPxRfiCYzzzzzzzzzzzz`
    const { status, body } = await write(serving.url, path, { key: ann, body: fact(content) })
    expect(status).toBe(200)
    expect(receiptResponse.parse(body)).toMatchObject({ state: 'rejected', error: { code: 'secret_detected' } })
    expect(JSON.stringify(body)).not.toContain(secret)
  })
})

describe('a receipt', () => {
  it('is answered with 304 if the client has its ETag', async () => {
    const { body } = await write(serving.url, path, { key: ann, body: fact('Etags are strong.'), headers: wait })
    const url = `/v1/receipts/${body.receipt_id}`
    const first = await send(serving.url, 'GET', url, { key: ann })
    const etag = first.headers.get('etag') as string
    expect(first.headers.get('retry-after')).toBeNull()
    const same = await send(serving.url, 'GET', url, { key: ann, headers: { 'if-none-match': `"x", ${etag}` } })
    expect({ status: same.status, body: same.body }).toEqual({ status: 304, body: '' })
    const other = await send(serving.url, 'GET', url, { key: ann, headers: { 'if-none-match': '"x"' } })
    expect(other.status).toBe(200)
  })

  it('does not exist for other users, and hides from admins the label of a record that they cannot see', async () => {
    const visibility = { scope: 'private' }
    const { body } = await write(serving.url, path, {
      key: ann,
      body: { ...fact('Ann naps.'), visibility },
      headers: wait,
    })
    const url = `/v1/receipts/${body.receipt_id}`
    const bob = await serving.key(['context:read', 'context:write'], { user: 'bob' })
    const others = await send(serving.url, 'GET', url, { key: bob })
    const nothing = await send(serving.url, 'GET', '/v1/receipts/00000000-0000-7000-8000-00000000dead', { key: bob })
    expect(others.status).toBe(404)
    expect(others.body.detail).toBe(nothing.body.detail)
    const admin = await send(serving.url, 'GET', url, { key: serving.adminKey })
    expect(admin.body.entity).toMatchObject({ id: body.entity.id })
    expect(JSON.stringify(admin.body)).not.toContain('naps')
    const annsOther = await serving.key(['context:write'], { user: 'ann' })
    expect((await send(serving.url, 'GET', url, { key: annsOther })).body.entity.label).toBe('Ann naps.')
  })

  it('has Retry-After while it is open, and a long poll ends after the requested time', async () => {
    const idle = await serve({ work: false })
    const { status, headers, body } = await write(idle.url, path, { key: idle.adminKey, body: fact('Nobody works.') })
    expect(status).toBe(202)
    expect(headers.get('retry-after')).toBe('1')
    const open = await send(idle.url, 'GET', `/v1/receipts/${body.receipt_id}?wait=0.2`, { key: idle.adminKey })
    expect(open.body.state).toBe('accepted')
    expect(open.headers.get('retry-after')).toBe('1')
    await idle.stop()
  })
})

describe('the list of receipts', () => {
  it('pages through all own receipts, newest first, also filtered by state and operation', async () => {
    const carl = await serving.key(['context:read', 'context:write'], { user: 'carl' })
    const made: string[] = []
    for (let at = 0; at < 7; at += 1) {
      const { body } = await write(serving.url, path, { key: carl, body: fact(`Carl says ${at}.`), headers: wait })
      made.unshift(body.receipt_id)
    }
    for (const filter of [
      '',
      '&state=applied',
      '&operation=context.remember',
      '&state=applied&operation=context.remember',
    ]) {
      const listed: string[] = []
      let cursor = ''
      do {
        const { body, status } = await send(serving.url, 'GET', `/v1/receipts?limit=3${filter}${cursor}`, { key: carl })
        expect(status, JSON.stringify(body)).toBe(200)
        const page = listReceiptsOutput.parse(body)
        listed.push(...page.items.map((item) => item.receipt_id))
        cursor = page.next_cursor === undefined ? '' : `&cursor=${page.next_cursor}`
      } while (cursor !== '')
      expect(listed, filter).toEqual(made)
    }
    const none = await send(serving.url, 'GET', '/v1/receipts?state=failed', { key: carl })
    expect(none.body).toEqual({ items: [] })
  })

  it('refuses a cursor of another list, of another user, and a forged one', async () => {
    const list = (query: string, key: string) => send(serving.url, 'GET', `/v1/receipts?${query}`, { key })
    const cursor = (await list('limit=1', ann)).body.next_cursor as string
    expect((await list(`limit=2&cursor=${cursor}`, ann)).status).toBe(200)
    for (const [query, key] of [
      [`cursor=${cursor}&state=applied`, ann],
      [`cursor=${cursor}`, serving.adminKey],
      [`cursor=${cursor}x`, ann],
      ['cursor=AAAA', ann],
    ] as const) {
      const { status, body } = await list(query, key)
      expect({ status, path: body.details?.issues[0].path }).toEqual({ status: 400, path: 'cursor' })
    }
  })

  it('names parameters that are unknown, repeated or wrong', async () => {
    const query = 'limit=0&state=gone&colour=red'
    const { status, body } = await send(serving.url, 'GET', `/v1/receipts?${query}`, { key: ann })
    expect(status).toBe(400)
    const paths = body.details.issues.map((issue: { path: string }) => issue.path)
    expect(paths.sort()).toEqual(['colour', 'limit', 'state'])
    const twice = await send(serving.url, 'GET', '/v1/receipts?limit=1&limit=2', { key: ann })
    expect(twice.body.details.issues).toEqual([{ path: 'limit', message: 'is given twice: give it once' }])
    const inPath = await send(serving.url, 'GET', '/v1/receipts/x?id=y', { key: ann })
    expect(inPath.body.details.issues[0].path).toBe('id')
    const onWrite = await write(serving.url, `${path}?dry_run=1`, { key: ann, body: fact('Not written.') })
    expect(onWrite.body.details.issues[0].path).toBe('dry_run')
  })
})

describe('keys over HTTP', () => {
  it('admins create, list and revoke keys', async () => {
    const request = { key: serving.adminKey, body: { name: 'ci', scopes: ['context:read'] } }
    const made = await send(serving.url, 'POST', '/admin/keys', request)
    expect(made.status).toBe(201)
    const { items } = (await send(serving.url, 'GET', '/admin/keys', { key: serving.adminKey })).body
    expect(items.find((item: { id: string }) => item.id === made.body.id)).toMatchObject({
      name: 'ci',
      revoked_at: null,
    })
    const revoke = () => send(serving.url, 'DELETE', `/admin/keys/${made.body.id}`, { key: serving.adminKey })
    expect([(await revoke()).status, (await revoke()).status]).toEqual([204, 204])
    expect((await send(serving.url, 'GET', '/v1/receipts', { key: made.body.key })).status).toBe(401)
    expect((await send(serving.url, 'DELETE', '/admin/keys/nothing', { key: serving.adminKey })).status).toBe(404)
    expect((await send(serving.url, 'GET', '/admin/keys', { key: ann })).status).toBe(403)
  })
})
