import { expect, it } from 'vitest'
import { backOff, retryAfterOf } from '../../src/ports/back-off.ts'

const pauses = { first: 100, longest: 1000 }
const none = () => 0

it('the pause doubles with each failure, up to the longest', () => {
  expect([1, 2, 3, 4, 5, 5000].map((failures) => backOff(failures, pauses, none))).toEqual([
    100, 200, 400, 800, 1000, 1000,
  ])
})

it('the pause is extended by up to a quarter at random', () => {
  expect(backOff(1, pauses, () => 0.5)).toBe(112.5)
  expect(backOff(9, pauses, () => 1)).toBe(1250)
  const random = Array.from({ length: 50 }, () => backOff(1, pauses))
  expect(new Set(random).size).toBeGreaterThan(1)
})

it('the pause is never shorter than the other side asks for', () => {
  expect(backOff(1, { ...pauses, asked: 5000 }, none)).toBe(5000)
  expect(backOff(9, { ...pauses, asked: 0 }, none)).toBe(0)
})

it('Retry-After is read in seconds or as a date, within bounds', () => {
  const bounds = { least: 1_000, most: 60_000 }
  const read = (header: string | null) => retryAfterOf(header, bounds)
  expect([read(' 7 '), read('0'), read('61'), read('999999999')]).toEqual([7_000, 1_000, 60_000, 60_000])
  expect([read('Wed, 21 Oct 2015 07:28:00 GMT'), read('Wed, 21 Oct 2065 07:28:00 GMT')]).toEqual([1_000, 60_000])
  expect([read(null), read(''), read('soon'), read('-1e')]).toEqual([undefined, undefined, undefined, undefined])
})
