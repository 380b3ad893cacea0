/** Web pages, credentials and lists of tools: who may call the endpoint of MCP, and what they are told. */
import { request } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { tools } from '../../src/mcp/tools.ts'
import { type Answer, type Body, publicUrl, type Serving, send, serve } from '../http/serving.ts'
import type { Caller } from '../support/http.ts'
import { call, frame, modern, path, post } from './mcp-frames.ts'

const configured = 'https://app.example.com'

let serving: Serving
let ann: Caller
beforeAll(async () => {
  serving = await serve({ env: { PRECEDENT_ALLOWED_ORIGINS: configured } })
  ann = { url: serving.url, key: await serving.key(['context:read', 'context:write'], { user: 'ann' }) }
})
afterAll(() => serving.stop())

describe('the origin of a web page', () => {
  const from = (origin: string, more = {}) => post(ann, frame('ping'), { origin, ...more })
  const ours = new URL(publicUrl).origin

  it.each([
    'https://evil.example.com',
    'null',
    `${ours}.evil.com`,
    `${ours}:444`,
    'http://localhost',
    `${configured}/`,
  ])('the foreign origin %s is refused, whatever key it has', async (origin) => {
    const [known, unknown, none] = await Promise.all([
      from(origin),
      post({ url: serving.url, key: 'svc_sk_unknown' }, frame('ping'), { origin }),
      post({ url: serving.url }, 'no JSON', { origin }),
    ])
    for (const { status, body, headers } of [known, unknown, none]) {
      expect([status, body.code]).toEqual([403, 'origin_not_allowed'])
      expect(headers.get('access-control-allow-origin')).toBeNull()
      expect(headers.get('www-authenticate')).toBeNull()
    }
  })

  it('ours and configured ones are let through', async () => {
    expect((await from(ours)).status).toBe(200)
    const answer = await from(configured)
    expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([200, configured])
  })

  it('a page of a configured origin may send the headers of the protocol', async () => {
    const asked = { origin: configured, 'access-control-request-method': 'POST' }
    const { headers } = await send(serving.url, 'OPTIONS', path, { headers: asked })
    const allowed = (headers.get('access-control-allow-headers') ?? '').toLowerCase().split(', ')
    const sent = ['authorization', 'content-type', ...Object.keys(modern('tools/call', { name: 'x' }).headers)]
    expect(allowed).toEqual(expect.arrayContaining(sent))
  })

  it('a foreign name that leads to the service is refused (DNS rebinding), and names of loopback are not', async () => {
    const local = await serve({ work: false, env: { PRECEDENT_PUBLIC_URL: 'http://localhost:4400' } })
    try {
      const asked = (host: string, origin: string) => withHost(local, host, origin)
      expect(await asked('evil.example.com', 'http://evil.example.com')).toBe(403)
      expect(await asked('evil.example.com:4400', 'http://evil.example.com:4400')).toBe(403)
      expect(await asked('localhost:4400', 'http://evil.example.com')).toBe(403)
      for (const host of ['localhost:4400', '127.0.0.1:4400', '[::1]:4400']) {
        expect(await asked(host, `http://${host}`), host).toBe(200)
      }
      for (const origin of ['https://localhost:4400', 'http://localhost:4401', 'http://localhost']) {
        expect(await asked('localhost:4400', origin), origin).toBe(403)
      }
    } finally {
      await local.stop()
    }
  })

  /** fetch does not let a caller choose the header Host. */
  function withHost({ port, adminKey }: Serving, host: string, origin: string): Promise<number | undefined> {
    const body = JSON.stringify(frame('ping'))
    const headers = {
      ...{ host, origin, authorization: `Bearer ${adminKey}`, 'content-type': 'application/json' },
      ...{ accept: 'application/json, text/event-stream', 'content-length': String(body.length) },
    }
    return new Promise((resolve, reject) => {
      const sent = request({ port, host: '127.0.0.1', path, method: 'POST', headers }, (answer) => {
        answer.resume()
        resolve(answer.statusCode)
      })
      sent.on('error', reject).end(body)
    })
  }
})

it.each(['GET', 'DELETE', 'PUT', 'PATCH'])('%s is not allowed, with and without a key', async (method) => {
  for (const key of [ann.key, undefined]) {
    const headers = { accept: 'text/event-stream', 'mcp-session-id': 'x' }
    const answer = await send(serving.url, method, path, { ...(key ? { key } : {}), headers })
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'OPTIONS, POST'])
  }
})

describe('a credential', () => {
  const challenge = (answer: Answer): Record<string, string> => {
    const told = answer.headers.get('www-authenticate') ?? ''
    expect(told).toMatch(/^Bearer /)
    return Object.fromEntries([...told.matchAll(/(\w+)="([^"]*)"/g)].map(([, name, value]) => [name, value]))
  }

  it.each([undefined, 'svc_sk_unknown', 'Basic x'])('%s is refused with what the client needs next', async (key) => {
    const answer = await post({ url: serving.url, ...(key ? { key } : {}) }, frame('tools/list'))
    expect([answer.status, answer.body.code]).toEqual([401, 'authentication_required'])
    const { resource_metadata = '', ...rest } = challenge(answer)
    expect(rest).toEqual({ scope: 'context:read context:write tasks:read tasks:write' })
    expect(resource_metadata.startsWith(`${publicUrl}/`)).toBe(true)
    const metadata = await send(serving.url, 'GET', resource_metadata.slice(publicUrl.length))
    expect([metadata.status, metadata.body.resource]).toEqual([200, publicUrl + path])
    expect(new Set(metadata.body.scopes_supported)).toEqual(new Set(tools.map(({ scope }) => scope)))
  })

  it('without the scope is told which one is needed, in both versions of the protocol', async () => {
    const reader = { url: serving.url, key: await serving.key(['context:read']) }
    const writer = { url: serving.url, key: await serving.key(['context:write']) }
    const before = (await post(ann, call('get_changes'))).body.result.structuredContent.cursor
    const fact = { kind: 'fact', content: 'It was not allowed.' }
    const calls: [Caller, string, object, string][] = [
      [reader, 'tools/call', { name: 'remember', arguments: fact }, 'context:write'],
      [writer, 'tools/call', { name: 'get_brief', arguments: {} }, 'context:read'],
      [writer, 'resources/read', { uri: 'precedent://brief' }, 'context:read'],
      [writer, 'resources/read', { uri: 'precedent://nothing' }, 'context:read'],
      [writer, 'prompts/get', { name: 'brief_me' }, 'context:read'],
      [reader, 'tools/call', { name: 'list_tasks', arguments: {} }, 'tasks:read'],
      [reader, 'tools/call', { name: 'create_task', arguments: { name: 'x' } }, 'tasks:write'],
      [reader, 'resources/read', { uri: 'precedent://tasks/x' }, 'tasks:read'],
    ]
    for (const [caller, method, params, scope] of calls) {
      const { body, headers } = modern(method, params)
      for (const answer of [await post(caller, frame(method, params)), await post(caller, body, headers)]) {
        expect([answer.status, answer.body.code]).toEqual([403, 'insufficient_scope'])
        expect(answer.body.details.required_scope).toBe(scope)
        expect(challenge(answer)).toMatchObject({ error: 'insufficient_scope', scope })
      }
    }
    const changes = (await post(ann, call('get_changes', { cursor: before }))).body.result.structuredContent
    expect(changes.changes.knowledge).toEqual([])
  })

  it('lists only the tools that it may call, and an unknown tool is told alike', async () => {
    const listed = async (key: string): Promise<string[]> =>
      (await post({ url: serving.url, key }, frame('tools/list'))).body.result.tools.map(({ name }: Body) => name)
    const reader = await serving.key(['context:read'])
    const both = await listed(ann.key)
    expect(await listed(reader)).toEqual(
      both.filter((name) => tools.find((one) => one.name === name)?.scope === 'context:read'),
    )
    expect(await listed(await serving.key(['admin']))).toEqual([])
    const { text } = (await post({ url: serving.url, key: reader }, call('remembr'))).body.result.content[0]
    expect(text).not.toContain('did you mean')
  })

  it('that was revoked in the middle of a session is refused', async () => {
    const key = await serving.key(['context:read'])
    const caller = { url: serving.url, key }
    expect((await post(caller, frame('tools/list'))).status).toBe(200)
    const { body } = await send(serving.url, 'GET', '/admin/keys', { key: serving.adminKey })
    await send(serving.url, 'DELETE', `/admin/keys/${body.items[0].id}`, { key: serving.adminKey })
    // a process may answer from its cache for less than 5 s
    const revoked = async () => (await post(caller, call('get_brief'))).status
    await expect.poll(revoked, { timeout: 20_000, interval: 250 }).toBe(401)
    expect(await revoked()).toBe(401)
  })
})

describe('?tools=', () => {
  it.each([
    '?tools=nonsense',
    '?tools=',
    '?tools=core&tools=core',
    '?tools=core&tools=chat',
    '?tool=core',
    '?tools=%ff',
  ])('%s is refused with the remedy', async (query) => {
    const { status, body } = await post(ann, frame('tools/list'), {}, query)
    expect([status, body.code]).toEqual([400, 'invalid_request'])
    expect(body.detail).toMatch(query.startsWith('?tools') ? /must be one of all, core, chat/ : /leave it out/)
  })

  it('a tool of another list can not be called, and is no name for metrics', async () => {
    const before = serving.logged.length
    for (const [query, name] of [
      ['', 'search'],
      ['?tools=core', 'get_decision_graph'],
      ['?tools=chat', 'remember'],
    ]) {
      expect((await post(ann, call(name as string), {}, query)).body.result.isError).toBe(true)
    }
    const named = serving.logged.slice(before).map((line) => JSON.parse(line).tool)
    expect(named.filter((name) => name !== undefined)).toEqual(['unknown', 'unknown', 'unknown'])
  })
})
