import { expect, it } from 'vitest'
import { paceOf } from '../../../src/cli/client/pace.ts'
import { rateLimit } from '../../../src/http/admission/rate-limit.ts'

it('calls do not wait if the service has no rate limit', () => {
  const pace = paceOf(() => 0)
  pace.update(new Headers())
  expect(Array.from({ length: 10_000 }, () => pace.next()).every((wait) => wait === 0)).toBe(true)
})

it('10,000 calls are never refused, and are as fast as the rate limit allows', () => {
  let now = 0
  const limited = rateLimit(300, () => now)
  const pace = paceOf(() => now)
  for (let call = 0; call < 10_000; call += 1) {
    for (let wait = pace.next(); wait > 0; wait = pace.next()) now += wait
    const headers = new Headers()
    const res = { setHeader: (name: string, value: string) => headers.set(name, value) } as never
    limited({ res, credential: 'ada', isImport: false })
    pace.update(headers)
  }
  // 3,000 calls at once, less those reserved for other processes, and then 300 a second
  expect(now / 1000).toBeGreaterThan(7_000 / 300)
  expect(now / 1000).toBeLessThan((7_100 / 300) * 1.05)
})

it('calls continue if the rate limit is one call a second', () => {
  let now = 0
  const pace = paceOf(() => now)
  pace.update(new Headers({ 'RateLimit-Policy': '"requests";q=10;w=10', RateLimit: '"requests";r=0;t=10' }))
  expect(pace.next()).toBe(3_500)
  now += 3_500
  expect(pace.next()).toBe(0)
})
