/** Frames and versions that an attacker sends to the endpoint of MCP. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { scopesOfAgents } from '../../src/http/routes/mcp-paths.ts'
import { tools } from '../../src/mcp/tools.ts'
import { type Answer, type Serving, serve } from '../http/serving.ts'
import { heldBy } from '../support/blocked-thread.ts'
import type { Caller } from '../support/http.ts'
import { agent, call, frame, modern, post } from './mcp-frames.ts'

const MiB = 1024 * 1024
/** ms. The budget is 200. This is three times as much, for a busy machine. */
const mostHeld = 600

let serving: Serving
let ann: Caller
beforeAll(async () => {
  serving = await serve()
  ann = await agent(serving, 'ann')
})
afterAll(() => serving.stop())

const codeOf = ({ body }: Answer): number | undefined => body.error?.code

describe('a frame that is no message', () => {
  const list = JSON.stringify(frame('tools/list'))
  const deep = (levels: number) =>
    `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"remember","arguments":{"x":${'['.repeat(levels)}${']'.repeat(levels)}}}}`

  it.each<[string, unknown, number]>([
    ['nothing', '', -32700],
    ['half of a message', list.slice(0, -1), -32700],
    ['two messages', list + list, -32700],
    ['bytes that are no UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]), -32700],
    ['a raw NUL in a string', list.replace('tools', 'tools\u0000'), -32700],
    ['a text', '"tools/list"', -32600],
    ['null', 'null', -32600],
    ['a number', '1', -32600],
    ['a batch', [frame('tools/list')], -32600],
    ['an empty batch', [], -32600],
    ['an empty object', {}, -32600],
    ['no jsonrpc', { id: 1, method: 'tools/list' }, -32600],
    ['an older jsonrpc', { jsonrpc: '1.0', id: 1, method: 'tools/list' }, -32600],
    ['an id that is null', { jsonrpc: '2.0', id: null, method: 'tools/list' }, -32600],
    ['an id that is an object', { jsonrpc: '2.0', id: { a: 1 }, method: 'tools/list' }, -32600],
    ['an id that is a fraction', { jsonrpc: '2.0', id: 1.5, method: 'tools/list' }, -32600],
    ['a method that is a number', { jsonrpc: '2.0', id: 1, method: 5 }, -32600],
    ['params that are a list', { jsonrpc: '2.0', id: 1, method: 'tools/list', params: [] }, -32600],
    ['params that are a text', { jsonrpc: '2.0', id: 1, method: 'tools/call', params: 'x' }, -32600],
    ['params that are null', { jsonrpc: '2.0', id: 1, method: 'tools/call', params: null }, -32600],
    ['a field __proto__', list.replace('{', '{"__proto__":{"method":"tools/call"},'), -32600],
  ])('%s is refused in the words of JSON-RPC', async (_, body, code) => {
    const answer = await post(ann, body)
    expect([answer.status, codeOf(answer), answer.body.jsonrpc]).toEqual([400, code, '2.0'])
    expect(answer.headers.get('content-type')).toContain('application/json')
  })

  it.each<[string, object, RegExp]>([
    ['a call without params', frame('tools/call'), /^params\.name: /],
    ['a name that is a number', frame('tools/call', { name: 3 }), /^params\.name: .*string/],
    ['arguments that are a list', frame('tools/call', { name: 'remember', arguments: [] }), /^params\.arguments: /],
    ['arguments that are a text', frame('tools/call', { name: 'remember', arguments: '{}' }), /^params\.arguments: /],
    ['no uri', frame('resources/read', {}), /^params\.uri: /],
    ['a uri that is a number', frame('resources/read', { uri: 1 }), /^params\.uri: /],
    ['no name of a prompt', frame('prompts/get', {}), /^params\.name: /],
    ['a topic that is a number', frame('prompts/get', { name: 'brief_me', arguments: { topic: 1 } }), /topic: /],
    [
      'a topic that is too long',
      frame('prompts/get', { name: 'brief_me', arguments: { topic: 'x'.repeat(2001) } }),
      / topic: /,
    ],
    ['a cursor that is a number', frame('tools/list', { cursor: 1 }), /^params\.cursor: /],
    ['_meta that is a text', frame('tools/list', { _meta: 'x' }), /^params\._meta: /],
    ['no version in initialize', frame('initialize', {}), /^params\.protocolVersion: /],
  ])('%s is an error of the parameters that names them', async (_, body, said) => {
    const answer = await post(ann, body)
    expect([answer.status, codeOf(answer), answer.body.id]).toEqual([200, -32602, 1])
    expect(answer.body.error.message).toMatch(said)
  })

  it.each(['nothing/known', '__proto__', 'constructor', 'tools/call\u0000', 'resources/subscribe', 'logging/setLevel'])(
    'the unknown method %j is told as such',
    async (method) => {
      const answer = await post(ann, frame(method))
      expect(codeOf(answer)).toBe(-32601)
      expect(answer.body.error.message).toContain(JSON.stringify(method))
      const { body, headers } = modern('subscriptions/listen')
      expect(codeOf(await post(ann, body, headers))).toBe(-32601)
    },
  )

  it('a message that has a name twice is refused', async () => {
    const twice =
      '{"jsonrpc":"2.0","id":1,"method":"ping","method":"resources/read","params":{"uri":"precedent://brief"}}'
    const { status, body } = await post(ann, twice)
    expect(status).toBe(400)
    expect(JSON.stringify(body)).toContain('method: is given twice: send it once')
  })

  it('a message is not nested deeper than any body', async () => {
    const refused = await post(ann, deep(70))
    expect([refused.status, refused.body.code]).toEqual([400, 'invalid_request'])
    expect(refused.body.detail).toContain('nested deeper')
    expect((await post(ann, deep(50))).body.result.isError).toBe(true)
  })

  it('half of a surrogate pair and other media types are refused like in other bodies', async () => {
    const half = await post(ann, '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"\\ud800"}}')
    expect([half.status, half.body.code]).toEqual([400, 'invalid_request'])
    const text = await post(ann, list, { 'content-type': 'text/plain' })
    expect([text.status, text.body.code]).toEqual([415, 'unsupported_media_type'])
  })

  it.each([
    ['a notification', { jsonrpc: '2.0', method: 'notifications/initialized' }],
    ['an unknown notification', { jsonrpc: '2.0', method: 'tools/call', params: { name: 'remember' } }],
    ['a response', { jsonrpc: '2.0', id: 1, result: {} }],
  ])('%s is accepted without a body', async (_, body) => {
    const answer = await post(ann, body)
    expect([answer.status, answer.body, answer.headers.get('content-type')]).toEqual([202, '', null])
  })
})

describe('a huge frame', () => {
  const padded = (bytes: number, body: object) => {
    const text = JSON.stringify(body)
    return Buffer.concat([Buffer.from(text.slice(0, -1)), Buffer.alloc(bytes - text.length, ' '), Buffer.from('}')])
  }

  it.each<[string, () => Buffer | string]>([
    ['beyond its bytes', () => padded(8 * MiB + 1, frame('tools/list'))],
    ['of empty objects', () => `[${'{},'.repeat(2_000_000)}{}]`],
    ['of unknown fields', () => `{${Array.from({ length: 5_000 }, (_, at) => `"f${at}":1,`).join('')}"g":1}`],
  ])('%s is refused without blocking the thread', async (_, body) => {
    const bytes = body()
    const { result, longest } = await heldBy(() => post(ann, bytes), mostHeld)
    expect([result.status, result.body.code]).toEqual([413, 'payload_too_large'])
    expect(longest).toBeLessThan(mostHeld)
  })

  it('the largest memory is taken within the bound, in both versions of the protocol', async () => {
    for (const [at, of2026] of [false, true].entries()) {
      const params = { name: 'remember', arguments: { kind: 'fact', content: `${at} ${'Long. '.repeat(33_000)}` } }
      const { body, headers } = of2026
        ? modern('tools/call', params)
        : { body: frame('tools/call', params), headers: {} }
      const bytes = padded(8 * MiB, body)
      const { result, longest } = await heldBy(() => post(ann, bytes, headers), mostHeld)
      expect(result.status).toBe(200)
      expect(result.body.result.isError).toBeUndefined()
      expect(result.body.result.structuredContent.receipt_id).toBeTypeOf('string')
      expect(longest).toBeLessThan(mostHeld)
    }
  })

  it('a name of megabytes is not told back, and is in no log line', async () => {
    const { body } = await post(ann, call('x'.repeat(7 * MiB)))
    expect(JSON.stringify(body).length).toBeLessThan(2_000)
    expect(serving.logged.filter((line) => line.includes('xxxxx'))).toEqual([])
  })
})

describe('versions of the protocol', () => {
  const init = (protocolVersion: string) =>
    frame('initialize', { protocolVersion, capabilities: {}, clientInfo: { name: 'x', version: '1' } })

  it.each(['1999-01-01', '2024-11-05', '2025-99-99'])('the header %s is refused', async (version) => {
    const answer = await post(ann, frame('tools/list'), { 'mcp-protocol-version': version })
    expect(answer.status).toBe(400)
    expect(answer.body.error.message).toContain('Unsupported protocol version')
  })

  it.each(['2025-03-26', '2025-06-18', '2025-11-25'])('the version %s is spoken', async (version) => {
    expect((await post(ann, init(version))).body.result.protocolVersion).toBe(version)
    const answer = await post(ann, frame('tools/list'), { 'mcp-protocol-version': version })
    const scopes: readonly string[] = scopesOfAgents
    const offered = tools.filter(({ lists, scope }) => lists.includes('all') && scopes.includes(scope))
    expect(answer.body.result.tools.length).toBe(offered.length)
  })

  it.each(['1999-01-01', '2024-11-05', '2026-07-28', '9999-01-01', ''])(
    'initialize with the version %j gets the newest of 2025',
    async (version) => {
      expect((await post(ann, init(version))).body.result.protocolVersion).toBe('2025-11-25')
    },
  )

  it('a frame of 2026-07-28 is refused if its headers say something else', async () => {
    const { body, headers } = modern('tools/call', { name: 'get_brief', arguments: {} })
    expect((await post(ann, body, headers)).body.result.isError).toBeUndefined()
    const others: Record<string, string>[] = [
      { 'mcp-protocol-version': '2025-11-25' },
      { 'mcp-protocol-version': '1999-01-01' },
      { 'mcp-method': 'tools/list' },
      { 'mcp-name': 'remember' },
    ]
    for (const other of others) {
      const answer = await post(ann, body, { ...headers, ...other })
      expect([answer.status, codeOf(answer)], JSON.stringify(other)).toEqual([400, -32020])
    }
    const { 'mcp-protocol-version': _, ...without } = headers
    expect(codeOf(await post(ann, body, without))).toBe(-32020)
    expect((await post(ann, frame('tools/list'), headers)).status).toBe(400)
  })

  it('a later version is refused with those that are spoken', async () => {
    const { body, headers } = modern('tools/list', {}, '2027-01-01')
    const answer = await post(ann, body, headers)
    expect([answer.status, answer.body.error.data]).toEqual([
      400,
      { supported: ['2026-07-28'], requested: '2027-01-01' },
    ])
  })
})
