/** The machine's clock. */
import { setTimeout } from 'node:timers/promises'
import { v7 } from 'uuid'
import type { Clock } from '../ports/clock.ts'

export const systemClock: Clock = {
  now: () => Date.now(),
  // uuid counts within a millisecond: ids of one process ascend
  id: () => v7(),
  random: () => Math.random(),
  async sleep(ms) {
    await setTimeout(ms)
  },
}
