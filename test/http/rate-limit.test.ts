import { expect, it } from 'vitest'
import { rateLimit } from '../../src/http/admission/rate-limit.ts'
import type { Problem } from '../../src/problem.ts'
import { send, serve, write } from './serving.ts'

/** A rate limit on a clock that the test advances. `next`: the headers of the next request, and its charges. */
function limiting(perSecond: number) {
  let now = 0
  const limited = rateLimit(perSecond, () => now)
  return {
    pass: (ms: number) => {
      now += ms
    },
    next(credential = 'ada', isImport = false) {
      const headers: Record<string, unknown> = {}
      const setHeader = (name: string, value: unknown) => {
        headers[name] = value
      }
      const res = { setHeader } as never
      try {
        return { headers, allowance: limited({ res, credential, isImport }) }
      } catch (error) {
        return { headers, refused: error as Problem }
      }
    },
  }
}

it('a credential may send the requests of 10 s at once, and then as many per second as the limit', () => {
  const { next, pass } = limiting(3)
  for (let at = 0; at < 30; at += 1) expect(next().refused, String(at)).toBeUndefined()
  const { refused, headers } = next()
  expect(refused).toMatchObject({ code: 'rate_limited', headers: { 'Retry-After': '1' } })
  expect(headers).toEqual({ 'RateLimit-Policy': '"requests";q=30;w=10', RateLimit: '"requests";r=0;t=10' })
  pass(1000)
  expect([next(), next(), next(), next()].map((one) => one.refused?.code)).toEqual([
    undefined,
    undefined,
    undefined,
    'rate_limited',
  ])
  pass(3_600_000)
  expect(next().headers.RateLimit).toBe('"requests";r=29;t=1')
})

it('each credential has its own rate limit', () => {
  const { next } = limiting(1)
  for (let at = 0; at < 20; at += 1) next('ada')
  expect(next('ada').refused?.code).toBe('rate_limited')
  expect(next('ben').headers.RateLimit).toBe('"requests";r=9;t=1')
})

it('a large body counts as many requests, and the credential is refused until their time has passed', () => {
  const { next, pass } = limiting(3)
  const { allowance, headers } = next()
  allowance?.bytes(8 * 1024 * 1024)
  // 512 requests of 16 KiB, of which 30 were left
  expect(headers.RateLimit).toBe('"requests";r=0;t=171')
  expect(next().refused?.headers['Retry-After']).toBe('161')
  pass(161_000)
  expect(next().refused).toBeUndefined()
})

it('imports are counted separately, 100 decisions as one request', () => {
  const { next } = limiting(3)
  const { allowance, headers } = next('ada', true)
  allowance?.items(1000)
  expect(headers).toEqual({ 'RateLimit-Policy': '"imports";q=30;w=10', RateLimit: '"imports";r=20;t=4' })
  expect(next('ada').headers.RateLimit).toBe('"requests";r=29;t=1')
  for (let at = 0; at < 20; at += 1) next('ada', true).allowance?.items(1)
  expect(next('ada', true).refused?.code).toBe('rate_limited')
})

it('each answer shows how many requests are left, and other credentials are not affected', async () => {
  const limited = await serve({ rateLimit: 1 })
  try {
    const own = await limited.key(['context:read', 'context:write'])
    const get = (key: string) => send(limited.url, 'GET', '/v1/receipts', { key })
    const first = await get(own)
    expect(first.headers.get('ratelimit-policy')).toBe('"requests";q=10;w=10')
    expect(first.headers.get('ratelimit')).toBe('"requests";r=9;t=1')
    const content = `A fact that takes ${' '.repeat(2_000_000)} much.`
    const large = await write(limited.url, '/v1/context/memories', { key: own, body: { kind: 'fact', content } })
    expect(large.headers.get('ratelimit')).toMatch(/^"requests";r=0;t=\d+$/)
    const refused = await get(own)
    expect(refused).toMatchObject({ status: 429, body: { code: 'rate_limited', retryable: true } })
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await get(limited.adminKey)).status).toBe(200)
    const decisions = [{ external_id: 'one', title: 'T', judgment: 'J', context: 'C' }]
    const imported = await write(limited.url, '/v1/decisions/batch', { key: own, body: { decisions } })
    expect({ status: imported.status, left: imported.headers.get('ratelimit') }).toEqual({
      status: 202,
      left: '"imports";r=9;t=1',
    })
  } finally {
    await limited.stop()
  }
})
