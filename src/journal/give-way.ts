/** How what follows the index at its own pace gives way to writes that wait to be applied, and to whoever is served. */
import { performance } from 'node:perf_hooks'
import type { Clock } from '../ports/clock.ts'
import type { Documents } from '../ports/documents.ts'
import { receipts } from '../receipts/receipt.ts'

/** How long a turn waits for writes that are on their way, in ms. */
const whileWriting = 20
/** How long where the process has hardly time for those whom it serves, in ms. */
const whileBusy = 100
/** The share of time in which a process does something; who gives way takes up to a third by itself. */
const busy = 0.6

let before = performance.eventLoopUtilization()

/** Others have their turn: a longer one where a write waits to be applied, or the process is busy. */
export async function giveWay({ documents, clock }: { documents: Documents; clock: Clock }): Promise<void> {
  const now = performance.eventLoopUtilization()
  const { utilization } = performance.eventLoopUtilization(now, before)
  before = now
  const [open] = await documents.find(receipts, { where: { open: 1 }, limit: 1, fields: ['id'] })
  await clock.sleep(utilization > busy ? whileBusy : open ? whileWriting : 0)
}
