import { setTimeout } from 'node:timers/promises'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { giveWay } from '../../src/journal/turns.ts'
import { remember } from '../../src/memories/remember.ts'
import { requestServed } from '../../src/ports/last-request.ts'
import { promise, type World, world } from '../support/apply.ts'

let on: World
let now = 0
const elapsed = () => now
beforeEach(async () => {
  on = await world()
  // later than the requests that other tests of the same process serve
  now = performance.now() + 10_000
})
afterEach(() => {
  requestServed({ elapsed: () => Number.NEGATIVE_INFINITY })
  return on.close()
})

/** The pause of background work that took so many ms, in a process that is busy or not. */
async function pauseAfter(took: number, { isBusy = true } = {}): Promise<number> {
  let pause = Number.NaN
  const clock = {
    ...on.clock,
    elapsed,
    sleep: async (ms: number) => {
      pause = ms
    },
  }
  const giving = () => giveWay({ documents: on.documents, clock }, took)
  // utilization is counted since the last call
  await giving()
  if (isBusy) for (const until = performance.now() + 50; performance.now() < until; ) Math.sqrt(until)
  else await setTimeout(300)
  await giving()
  return pause
}

const served = () => requestServed({ elapsed })

it('background work does not pause while nobody else works, however long its own work took', async () => {
  expect(await pauseAfter(0)).toBe(0)
  expect(await pauseAfter(500)).toBe(0)
})

it('background work takes a tenth of the time in a process that is busy and serves requests', async () => {
  served()
  now += 20
  expect(await pauseAfter(40)).toBe(360)
  expect(await pauseAfter(1)).toBe(100)
  expect(await pauseAfter(400)).toBe(1000)
  expect(await pauseAfter(400, { isBusy: false })).toBe(0)
  now += 1_000
  expect(await pauseAfter(40)).toBe(0)
  // a request was answered during the work
  expect(await pauseAfter(5_000)).toBe(1000)
})

it('background work takes a quarter of the time while writes wait', async () => {
  await promise(on, remember, { kind: 'fact', content: 'The crane is at the quay.' })
  expect(await pauseAfter(40)).toBe(120)
  expect(await pauseAfter(1)).toBe(20)
  served()
  expect(await pauseAfter(40)).toBe(360)
})
