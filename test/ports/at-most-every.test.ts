import { expect, it } from 'vitest'
import { systemClock } from '../../src/adapters/system-clock.ts'
import { atMostEvery } from '../../src/ports/at-most-every.ts'

function counting() {
  let elapsed = 0
  let reads = 0
  let failing = false
  const read = atMostEvery(1000, { ...systemClock, elapsed: () => elapsed }, async () => {
    reads += 1
    if (failing) throw new Error('unavailable')
    return reads
  })
  return { read, pass: (ms: number) => (elapsed += ms), fail: (on: boolean) => (failing = on) }
}

it('atMostEvery() reads once for all callers within the time, then again', async () => {
  const { read, pass } = counting()
  expect(await Promise.all([read(), read()])).toEqual([1, 1])
  pass(999)
  expect(await read()).toBe(1)
  pass(1)
  expect(await read()).toBe(2)
})

it('atMostEvery() reads again after a failure', async () => {
  const { read, fail } = counting()
  fail(true)
  await expect(read()).rejects.toThrow('unavailable')
  fail(false)
  expect(await read()).toBe(2)
})
