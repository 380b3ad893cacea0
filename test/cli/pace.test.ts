import { expect, it } from 'vitest'
import { paceOf } from '../../src/cli/pace.ts'
import { rateLimit } from '../../src/http/middleware/rate-limit.ts'

it('does not wait where the service tells no limit', () => {
  const pace = paceOf(() => 0)
  pace.heard(new Headers())
  expect(Array.from({ length: 10_000 }, () => pace.next()).every((wait) => wait === 0)).toBe(true)
})

it('makes more calls than the limit allows at once without being refused, as fast as the limit allows', () => {
  let now = 0
  const limited = rateLimit(300, () => now)
  const pace = paceOf(() => now)
  for (let call = 0; call < 10_000; call += 1) {
    for (let wait = pace.next(); wait > 0; wait = pace.next()) now += wait
    const headers = new Headers()
    const res = { setHeader: (name: string, value: string) => headers.set(name, value) } as never
    limited({ res, credential: 'ada', isImport: false })
    pace.heard(headers)
  }
  // a burst of 3,000 less what is left to others, then 300 a second
  expect(now / 1000).toBeGreaterThan(7_000 / 300)
  expect(now / 1000).toBeLessThan((7_100 / 300) * 1.05)
})

it('goes on below a limit of one call a second', () => {
  let now = 0
  const pace = paceOf(() => now)
  pace.heard(new Headers({ 'RateLimit-Policy': '"requests";q=10;w=10', RateLimit: '"requests";r=0;t=10' }))
  expect(pace.next()).toBe(3_500)
  now += 3_500
  expect(pace.next()).toBe(0)
})
