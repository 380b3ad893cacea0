import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Serving, send, serve } from './serving.ts'

const [app, other] = ['https://app.example.com', 'https://evil.example.com']

let serving: Serving
beforeAll(async () => {
  serving = await serve({ work: false, env: { PRECEDENT_ALLOWED_ORIGINS: `https://first.example.com, ${app}` } })
})
afterAll(() => serving.stop())

const allowOrigin = ({ headers }: { headers: Headers }) => headers.get('access-control-allow-origin')
const names = (list: string | null) => (list ?? '').toLowerCase().split(', ')

it('a page of an allowed origin can read answers and problems, with their headers', async () => {
  for (const key of [serving.adminKey, undefined]) {
    const answer = await send(serving.url, 'GET', '/v1/receipts', { ...(key ? { key } : {}), headers: { origin: app } })
    expect(answer.status).toBe(key ? 200 : 401)
    expect(allowOrigin(answer)).toBe(app)
    expect(answer.headers.get('vary')).toMatch(/Origin/i)
    expect(answer.headers.get('access-control-allow-credentials')).toBeNull()
    const exposed = names(answer.headers.get('access-control-expose-headers'))
    expect(exposed).toEqual(expect.arrayContaining(['etag', 'location', 'retry-after', 'x-request-id', 'ratelimit']))
  }
})

it('a preflight of an allowed origin is answered with the allowed methods and headers', async () => {
  const headers = {
    origin: app,
    'access-control-request-method': 'POST',
    'access-control-request-headers': 'authorization,content-type,idempotency-key',
  }
  const { status, headers: answered } = await send(serving.url, 'OPTIONS', '/v1/decisions', { headers })
  expect(status).toBe(204)
  expect(answered.get('access-control-allow-origin')).toBe(app)
  expect(names(answered.get('access-control-allow-methods'))).toEqual(expect.arrayContaining(['get', 'post', 'delete']))
  const allowed = names(answered.get('access-control-allow-headers'))
  expect(allowed).toEqual(expect.arrayContaining(['authorization', 'content-type', 'idempotency-key', 'prefer']))
  expect(Number(answered.get('access-control-max-age'))).toBeGreaterThan(0)
})

it.each(['GET', 'OPTIONS'])('a page of another origin is allowed nothing with %s', async (method) => {
  const headers = { origin: other, 'access-control-request-method': 'POST' }
  const answer = await send(serving.url, method, '/v1/receipts', { key: serving.adminKey, headers })
  expect([...answer.headers.keys()].filter((name) => name.startsWith('access-control-'))).toEqual([])
  expect(answer.headers.get('vary')).toMatch(/Origin/i)
})

it('no origin is allowed if none is configured', async () => {
  const closed = await serve({ work: false })
  const answer = await send(closed.url, 'GET', '/v1/receipts', { key: closed.adminKey, headers: { origin: app } })
  await closed.stop()
  expect([...answer.headers.keys()].filter((name) => name.startsWith('access-control-'))).toEqual([])
})
