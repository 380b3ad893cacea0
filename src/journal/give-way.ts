/** How what follows the index at its own pace gives way to writes that wait to be applied, and to whoever is served. */
import { performance } from 'node:perf_hooks'
import type { Clock } from '../ports/clock.ts'
import type { Documents } from '../ports/documents.ts'
import { receipts } from '../receipts/receipt.ts'

/** What a turn waits at least, in ms, and how many times as long as the turn before it took. */
interface Pause {
  atLeast: number
  times: number
}

/** Writes are on their way. */
const whileWriting: Pause = { atLeast: 20, times: 3 }
/** The process has hardly time for those whom it serves. */
const whileBusy: Pause = { atLeast: 100, times: 9 }
/** The share of time in which a process does something; who gives way takes up to a third by itself. */
const busy = 0.6
/** ms. However busy a process is, what follows the index goes on. */
const longestPause = 1000

let before = performance.eventLoopUtilization()

/**
 * Others have their turn: a longer one where a write waits to be applied, or the process is busy. `took`: ms of the
 * caller's turn before, where it is its own work that takes the time and not that of another server.
 */
export async function giveWay({ documents, clock }: { documents: Documents; clock: Clock }, took = 0): Promise<void> {
  const now = performance.eventLoopUtilization()
  const { utilization } = performance.eventLoopUtilization(now, before)
  before = now
  const [open] = await documents.find(receipts, { where: { open: 1 }, limit: 1, fields: ['id'] })
  const pause = utilization > busy ? whileBusy : open ? whileWriting : undefined
  await clock.sleep(pause ? Math.min(longestPause, Math.max(pause.atLeast, pause.times * took)) : 0)
}
