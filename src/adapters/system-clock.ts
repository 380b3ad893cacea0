/** The machine's clock. */
import { randomFillSync } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { v7 } from 'uuid'
import { type Clock, madeAt } from '../ports/clock.ts'

/** Randomness is drawn for many ids at once: a draw costs more than everything else of an id. */
const bytesOfAnId = 16
const pool = new Uint8Array(512 * bytesOfAnId)
let drawn = pool.length

export const systemClock: Clock = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
  id() {
    if (drawn === pool.length) {
      randomFillSync(pool)
      drawn = 0
    }
    const random = pool.subarray(drawn, drawn + bytesOfAnId)
    drawn += bytesOfAnId
    return nextId(random)
  },
  idsFollow(id) {
    // the counter of another process may have gone far within its millisecond
    lastMsecs = Math.max(lastMsecs, madeAt(id) + 1)
  },
  random: () => Math.random(),
  async sleep(ms) {
    await setTimeout(ms)
  },
}

let lastMsecs = 0
let counter = 0

/** Ids of one process ascend: within a millisecond they count, as RFC 9562 describes (6.2, method 1). */
function nextId(random: Uint8Array): string {
  const msecs = Math.max(Date.now(), lastMsecs)
  counter = msecs === lastMsecs ? (counter + 1) >>> 0 : firstOf(random)
  lastMsecs = msecs
  return v7({ msecs, seq: counter, random })
}

/** Begins low, so that it does not run over within a millisecond. */
function firstOf(random: Uint8Array): number {
  return (((random[6] as number) & 0x7f) << 23) | ((random[7] as number) << 15) | ((random[8] as number) << 7)
}
