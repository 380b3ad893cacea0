import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { problemResponse } from '../../src/http/base/problem.ts'
import type { CallRoute, PageRoute } from '../../src/http/base/route.ts'
import { servedWithin } from '../../src/ports/last-request.ts'
import { type Serving, send, serve, write } from './serving.ts'

const MiB = 1024 * 1024
const path = '/v1/context/memories'
const fact = { kind: 'fact', content: 'Servers are patient.' }

const echo: CallRoute = {
  kind: 'call',
  method: 'POST',
  path: '/test/held',
  name: 'test.held',
  summary: 'Answers after a while.',
  scope: 'admin',
  status: 200,
  async run() {
    await new Promise((resolve) => setTimeout(resolve, 300))
    return { held: true }
  },
}

/** More than the buffers of a connection hold. */
const large: PageRoute = {
  kind: 'page',
  method: 'GET',
  path: '/test/large',
  summary: 'A large answer.',
  show(ctx) {
    ctx.body = Buffer.alloc(20 * MiB)
  },
}

let serving: Serving
beforeAll(async () => {
  serving = await serve({ routes: [echo] })
})
afterAll(() => serving.stop())

/** Sends these bytes. Returns everything received until the connection ends or `until` matches. */
function raw(bytes: string | Buffer, until?: RegExp): Promise<string> {
  return new Promise((resolve, reject) => {
    let answer = ''
    const socket = connect(serving.port, '127.0.0.1', () => socket.write(bytes))
    socket.setTimeout(20_000, () => socket.destroy(new Error(`no end: ${answer}`)))
    socket.on('data', (chunk) => {
      answer += chunk.toString()
      if (until?.test(answer)) socket.destroy()
    })
    // a server that ends the connection before it has read everything resets it after its answer
    socket.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'ECONNRESET' || answer === '') reject(error)
    })
    socket.on('close', () => resolve(answer))
  })
}

const bodyOf = (answer: string) => JSON.parse(answer.slice(answer.indexOf('\r\n\r\n') + 4))
const head = (line: string, ...headers: string[]) => `${[line, 'Host: x', ...headers].join('\r\n')}\r\n\r\n`

describe('malformed requests', () => {
  it.each([
    ['no HTTP', 'hello\r\n\r\n', 400, 'invalid_request'],
    ['no Host', 'GET /livez HTTP/1.1\r\nConnection: close\r\n\r\n', 400, 'invalid_request'],
    ['an unknown method', head('BREW /livez HTTP/1.1'), 400, 'invalid_request'],
    [
      'another expectation',
      head('POST /v1/decisions HTTP/1.1', 'Expect: miracles', 'Connection: close'),
      400,
      'invalid_request',
    ],
    ['a target that is no path', head('OPTIONS * HTTP/1.1', 'Connection: close'), 404, 'not_found'],
    ['headers over 64 KiB', head('GET /livez HTTP/1.1', `X-Long: ${'x'.repeat(65 * 1024)}`), 413, 'payload_too_large'],
    [
      'two lengths',
      head('POST /v1/decisions HTTP/1.1', 'Content-Length: 1', 'Content-Length: 2'),
      400,
      'invalid_request',
    ],
  ])('answers %s with a problem', async (_, bytes, status, code) => {
    const answer = await raw(bytes)
    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
    expect(answer.toLowerCase()).toContain('content-type: application/problem+json')
    expect(problemResponse.parse(bodyOf(answer)).code).toBe(code)
  })

  it('accepts a request line and headers of nearly 64 KiB, such as a query of 2,000 emoji', async () => {
    const query = encodeURIComponent('🙂'.repeat(2000))
    const { status, body } = await send(serving.url, 'GET', `/v1/receipts?q=${query}`, { key: serving.adminKey })
    expect({ status, path: body.details.issues[0].path }).toEqual({ status: 400, path: 'q' })
  })

  it('accepts the absolute form of a path that proxies send', async () => {
    expect(await raw(head('GET http://anything/livez HTTP/1.1', 'Connection: close'))).toMatch(/^HTTP\/1.1 200 /)
  })
})

describe('methods and paths', () => {
  it('answers HEAD like GET without a body, and OPTIONS with the allowed methods', async () => {
    const answer = await send(serving.url, 'HEAD', '/openapi.json')
    expect({ status: answer.status, body: answer.body }).toEqual({ status: 200, body: '' })
    expect(Number(answer.headers.get('content-length'))).toBeGreaterThan(1000)
    const options = await send(serving.url, 'OPTIONS', '/v1/decisions')
    expect({ status: options.status, allow: options.headers.get('allow') }).toEqual({
      status: 204,
      allow: 'OPTIONS, POST',
    })
    expect((await send(serving.url, 'OPTIONS', '/nowhere')).status).toBe(404)
    expect((await send(serving.url, 'DELETE', '/v1/receipts/x')).headers.get('allow')).toBe('GET, HEAD, OPTIONS')
  })

  it('answers 404 for paths that differ in case or length, and for paths that cannot be decoded', async () => {
    for (const wrong of ['/V1/receipts', '/v1', '/v1/receipts/a/b', '/v2/receipts', '/%', '/..%2f..%2fetc/passwd']) {
      expect((await send(serving.url, 'GET', wrong, { key: serving.adminKey })).status, wrong).toBe(404)
    }
    expect((await send(serving.url, 'GET', '/v1/receipts/%ff%00', { key: serving.adminKey })).status).toBe(404)
  })

  it('refuses a parameter that is not UTF-8, percent-encoded, and names it', async () => {
    for (const wrong of ['cursor=%ff', 'limit=1&cursor=50%']) {
      const { status, body } = await send(serving.url, 'GET', `/v1/receipts?${wrong}`, { key: serving.adminKey })
      expect({ status, path: body.details?.issues[0].path }, wrong).toEqual({ status: 400, path: 'cursor' })
    }
  })

  it('checks the credential before query and body', async () => {
    const { status } = await send(serving.url, 'POST', '/v1/decisions?x=1', { body: 'no json' })
    expect(status).toBe(401)
  })

  it('ignores a body on GET', async () => {
    const length = 'Content-Length: 5'
    const next = head('GET /livez HTTP/1.1', 'Connection: close')
    const request = `${head('GET /livez HTTP/1.1', length)}hello${next}`
    expect((await raw(request)).match(/HTTP\/1.1 200 /g)).toHaveLength(2)
  })

  it.each(['01890000-0000-7000-8000-00000000abcd', 'a', 'req_{"x":1}', 'x'.repeat(128)])(
    'takes the X-Request-Id %s of the caller, and names it in problems and in the log',
    async (given) => {
      const headers = { 'x-request-id': given }
      const kept = await send(serving.url, 'GET', '/v1/nothing', { headers })
      expect(kept.headers.get('x-request-id')).toBe(given)
      expect(problemResponse.parse(kept.body).instance).toMatch(/^urn:(?:uuid|request):[\w%.!~*'()-]+$/)
      expect(decodeURIComponent(kept.body.instance)).toMatch(/^urn:(?:uuid|request):/)
      expect(decodeURIComponent(kept.body.instance).endsWith(`:${given}`)).toBe(true)
      const line = serving.logged.map((one) => JSON.parse(one)).find(({ request }) => request === given)
      expect(line?.trace).toMatch(/^[0-9a-f]{32}$/)
    },
  )

  it.each(['two words', 'x'.repeat(129), 'é'])('replaces the invalid X-Request-Id %.20s', async (given) => {
    const { headers } = await send(serving.url, 'GET', '/livez', { headers: { 'x-request-id': given } })
    expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
  })

  it('tells background work that requests are served', async () => {
    const begun = performance.now()
    const sinceBegun = { elapsed: () => performance.now() }
    expect((await fetch(`${serving.url}/livez`)).status).toBe(200)
    expect(servedWithin(sinceBegun, performance.now() - begun)).toBe(true)
  })

  it('logs a line for each request, without its query and its credential', async () => {
    const { headers } = await send(serving.url, 'GET', '/v1/receipts?cursor=what-they-look-for', {
      key: serving.adminKey,
    })
    const line = serving.logged.find((one) => one.includes(headers.get('x-request-id') as string)) as string
    expect(JSON.parse(line)).toMatchObject({ method: 'GET', path: '/v1/receipts', status: 400 })
    expect(serving.logged.join('')).not.toContain('what-they-look-for')
    expect(serving.logged.join('')).not.toContain(serving.adminKey)
  })
})

describe('bodies', () => {
  it.each([
    ['a lone quote', '"', { line: 1, column: 2 }],
    ['a trailing comma', '{"a": 1,\n "b": [1,]}', { line: 2, column: 10 }],
    ['an end too early', '{"a": [1, {"b"', { line: 1, column: 15 }],
    ['two values', '{} {}', { line: 1, column: 4 }],
    ['a bad escape', '{"a": "\\x"}', { line: 1, column: 9 }],
    ['a bad number', '{"a": 01}', { line: 1, column: 8 }],
    ['a control character', '{"a": "\n"}', { line: 1, column: 8 }],
    ['NaN', 'NaN', { line: 1, column: 1 }],
  ])('says where %s is', async (_, body, place) => {
    const refused = await write(serving.url, path, { key: serving.adminKey, body })
    expect(refused.body.code).toBe('malformed_json')
    expect(refused.body.details).toMatchObject(place)
  })

  it('refuses a body that is not UTF-8, and names the first wrong byte', async () => {
    const body = Buffer.concat([
      Buffer.from('{"kind":"fact","content":"ä'),
      Buffer.from([0xc3, 0x28]),
      Buffer.from('"}'),
    ])
    const refused = await write(serving.url, path, { key: serving.adminKey, body })
    expect(refused.body).toMatchObject({ code: 'malformed_json', details: { position: 28 } })
  })

  it.each([
    ['an empty body', '', 'malformed_json'],
    ['null', 'null', 'invalid_request'],
    ['a list', '[]', 'invalid_request'],
    ['a string', '"fact"', 'invalid_request'],
    ['half a surrogate pair', '{"kind":"fact","content":"\\ud83d"}', 'invalid_request'],
    ['a field __proto__', '{"kind":"fact","content":"x","__proto__":{"title":"y"}}', 'invalid_request'],
    ['deep nesting', `{"kind":"fact","content":${'['.repeat(100_000)}${']'.repeat(100_000)}}`, 'invalid_request'],
    ['deep nesting that never ends', '['.repeat(1_000_000), 'invalid_request'],
    [
      'brackets in strings, which do not count as nesting',
      `{"kind":"fact","content":"${'[{\\"'.repeat(100)}"`,
      'malformed_json',
    ],
  ])('refuses %s', async (_, body, code) => {
    const refused = await write(serving.url, path, { key: serving.adminKey, body })
    expect({ status: refused.status, code: refused.body.code }).toEqual({ status: 400, code })
  })

  it.each([
    ['application/json; charset=UTF-8', 202],
    ['application/merge-patch+json', 202],
    ['application/json; charset=latin1', 415],
    ['text/plain', 415],
    ['application/x-ndjson', 415],
  ])('answers Content-Type %s with status %d', async (type, status) => {
    const body = JSON.stringify({ ...fact, content: `As ${type}.` })
    const headers = { 'content-type': type }
    const answer = await write(serving.url, path, { key: serving.adminKey, body, headers })
    expect(answer.status === 200 ? 202 : answer.status).toBe(status)
  })

  it('refuses compressed bodies', async () => {
    const headers = { 'content-encoding': 'gzip' }
    expect((await write(serving.url, path, { key: serving.adminKey, body: fact, headers })).status).toBe(415)
  })

  it('refuses a body of more than 8 MiB without reading more, with and without Content-Length, and still answers others', async () => {
    const key = `Authorization: Bearer ${serving.adminKey}`
    const json = 'Content-Type: application/json'
    const told = head(
      `POST ${path} HTTP/1.1`,
      key,
      json,
      `Content-Length: ${8 * MiB + 1}`,
      'Idempotency-Key: too-large',
    )
    expect(await raw(told, /"code":"payload_too_large"/)).toMatch(/^HTTP\/1.1 413 /)
    const chunked = head(`POST ${path} HTTP/1.1`, key, json, 'Transfer-Encoding: chunked', 'Idempotency-Key: too-large')
    const chunk = `${MiB.toString(16)}\r\n${' '.repeat(MiB)}\r\n`
    expect(await raw(chunked + chunk.repeat(9), /"code":"payload_too_large"/)).toMatch(/^HTTP\/1.1 413 /)
    expect((await send(serving.url, 'GET', '/livez')).status).toBe(200)
  })

  it('sends 100 Continue only to authenticated callers', async () => {
    const expecting = [
      'Content-Type: application/json',
      'Expect: 100-continue',
      'Content-Length: 2',
      'Connection: close',
    ]
    const stranger = await raw(head(`POST ${path} HTTP/1.1`, ...expecting), /authentication_required/)
    expect(stranger).toMatch(/^HTTP\/1.1 401 /)
    const key = [`Authorization: Bearer ${serving.adminKey}`, 'Idempotency-Key: expecting']
    const known = await raw(head(`POST ${path} HTTP/1.1`, ...expecting, ...key), /100 Continue\r\n\r\n/)
    expect(known).toMatch(/^HTTP\/1.1 100 Continue/)
  })
})

describe('shutdown', () => {
  it('answers open requests and long polls, and accepts no new ones', async () => {
    const ending = await serve({ routes: [echo], work: false })
    const { body } = await write(ending.url, path, { key: ending.adminKey, body: fact })
    const held = send(ending.url, 'POST', '/test/held', { key: ending.adminKey })
    const waiting = send(ending.url, 'GET', `/v1/receipts/${body.receipt_id}?wait=30`, { key: ending.adminKey })
    await new Promise((resolve) => setTimeout(resolve, 100))
    const stopped = ending.stop()
    await expect.poll(() => send(ending.url, 'GET', '/livez').catch(() => 'refused')).toBe('refused')
    expect((await held).body).toEqual({ held: true })
    expect((await waiting).body.state).toBe('accepted')
    expect(await stopped).toBe(true)
  })
})

it('shuts down once an answer that is still being read has been read as a whole', async () => {
  const ending = await serve({ routes: [large] })
  const socket = connect(ending.port, '127.0.0.1').pause()
  socket.write(head('GET /test/large HTTP/1.1'))
  await expect.poll(() => ending.logged.some((line) => line.includes(large.path))).toBe(true)
  const stopped = ending.stop()
  await expect.poll(() => send(ending.url, 'GET', '/livez').catch(() => 'refused')).toBe('refused')
  let bytes = 0
  socket.on('data', (chunk) => (bytes += chunk.length)).resume()
  expect(await stopped).toBe(true)
  await expect.poll(() => bytes).toBeGreaterThan(20 * MiB)
})

it('shuts down without waiting for a connection that has sent nothing', async () => {
  const ending = await serve()
  const socket = connect(ending.port, '127.0.0.1')
  const closed = new Promise((resolve) => socket.once('close', resolve))
  await new Promise((resolve) => socket.once('connect', resolve))
  expect(await ending.stop()).toBe(true)
  await closed
})

describe('health', () => {
  it('answers /livez and /readyz with 200 if all engines work', async () => {
    expect((await send(serving.url, 'GET', '/livez')).status).toBe(200)
    const { status, body } = await send(serving.url, 'GET', '/readyz')
    expect({ status, body }).toEqual({
      status: 200,
      body: { ready: true, engines: { documents: null, queue: null, search: null }, problems: [] },
    })
  })
})
