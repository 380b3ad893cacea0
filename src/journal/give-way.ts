/** Slows background work down while writes wait to be applied, or while the process is busy with requests. */
import { performance } from 'node:perf_hooks'
import type { Clock } from '../ports/clock.ts'
import type { Documents } from '../ports/documents.ts'
import { receipts } from '../receipts/receipt.ts'

/** The minimum pause in ms, and the pause as a multiple of the work before it. */
interface Pause {
  atLeast: number
  times: number
}

/** While writes wait. */
const whileWriting: Pause = { atLeast: 20, times: 3 }
/** While the process is busy with requests. */
const whileBusy: Pause = { atLeast: 100, times: 9 }
/** Event loop utilization above which a process counts as busy. Background work alone stays below a third. */
const busy = 0.6
/** ms. Background work continues however busy the process is. */
const longestPause = 1000

let before = performance.eventLoopUtilization()

/**
 * Yields to other work, for longer if a write waits or the process is busy. `took`: ms of the caller's own work since
 * the last pause; leave it out if another server did the work.
 */
export async function giveWay({ documents, clock }: { documents: Documents; clock: Clock }, took = 0): Promise<void> {
  const now = performance.eventLoopUtilization()
  const { utilization } = performance.eventLoopUtilization(now, before)
  before = now
  const [open] = await documents.find(receipts, { where: { open: 1 }, limit: 1, fields: ['id'] })
  const pause = utilization > busy ? whileBusy : open ? whileWriting : undefined
  await clock.sleep(pause ? Math.min(longestPause, Math.max(pause.atLeast, pause.times * took)) : 0)
}
