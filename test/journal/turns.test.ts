import { afterEach, beforeEach, expect, it } from 'vitest'
import { giveWay } from '../../src/journal/turns.ts'
import { remember } from '../../src/memories/remember.ts'
import { requestServed } from '../../src/ports/last-request.ts'
import { promise, type World, world } from '../support/apply.ts'

let on: World
let elapsed = 0
beforeEach(async () => {
  on = await world()
  elapsed += 10_000
})
afterEach(() => on.close())

/** The pause of background work that took so many ms. */
async function pauseAfter(took: number): Promise<number> {
  let pause = Number.NaN
  const sleep = async (ms: number) => {
    pause = ms
  }
  await giveWay({ documents: on.documents, clock: { ...on.clock, elapsed: () => elapsed, sleep } }, took)
  return pause
}

const served = () => requestServed({ elapsed: () => elapsed })

it('background work does not pause while nobody else works, however long its own work took', async () => {
  expect(await pauseAfter(0)).toBe(0)
  expect(await pauseAfter(500)).toBe(0)
})

it('background work takes a tenth of the time while requests are served', async () => {
  served()
  elapsed += 40
  expect(await pauseAfter(40)).toBe(360)
  expect(await pauseAfter(1)).toBe(100)
  expect(await pauseAfter(400)).toBe(1000)
  elapsed += 100
  expect(await pauseAfter(40)).toBe(0)
  // a request was answered during the work
  expect(await pauseAfter(150)).toBe(1000)
})

it('background work takes a quarter of the time while writes wait', async () => {
  await promise(on, remember, { kind: 'fact', content: 'The crane is at the quay.' })
  expect(await pauseAfter(40)).toBe(120)
  expect(await pauseAfter(1)).toBe(20)
  served()
  expect(await pauseAfter(40)).toBe(360)
})
