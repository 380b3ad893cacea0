/** Polls the receipts of accepted batches until all of them have ended, the oldest batch first. */
import { type Client, pause } from '../client/client.ts'
import {
  type Counts,
  countsOf,
  isRefused,
  openIn,
  type ReceiptResponse,
  receiptsOf,
  refusedIn,
  refusedStates,
  total,
} from '../client/receipts.ts'

export interface Followed {
  counts: Counts
  /** Receipts that were not applied; with `whole`, all receipts. */
  receipts: ReceiptResponse[]
}

export interface Follower {
  /** `whole`: whether to read every receipt of this batch. */
  add(batchId: string, whole: boolean): Promise<Followed>
  /** Number of receipts of all batches that have ended. */
  ended(): number
  /** Stops polling after an error elsewhere. */
  stop(): void
}

/** ms between polls. The first ones are short, because most imports are small. */
const pollDelays = [50, 100, 200, 400, 800]
/** A batch has at most as many receipts as decisions. */
const mostReceipts = 1000

/**
 * `whole`: whether to read every receipt, or only those that were not applied. `changed` is called after every poll.
 */
export function follower(client: Client, signal: AbortSignal, whole: () => boolean, changed: () => void): Follower {
  let before: Promise<unknown> = Promise.resolve()
  let endedBefore = 0
  let endedNow = 0
  let stopped = false

  async function follow(batchId: string, ofAll: boolean): Promise<Followed> {
    let counts = await countsOf(client, batchId)
    for (let poll = 0; openIn(counts) > 0 && !stopped; poll++) {
      endedNow = total(counts) - openIn(counts)
      changed()
      await pause(pollDelays[Math.min(poll, pollDelays.length - 1)] as number, signal)
      counts = await countsOf(client, batchId)
    }
    const receipts = stopped ? [] : await endedOf(batchId, counts, ofAll)
    endedBefore += total(counts) - openIn(counts)
    endedNow = 0
    changed()
    return { counts, receipts }
  }

  async function endedOf(batchId: string, counts: Counts, ofAll: boolean): Promise<ReceiptResponse[]> {
    if (ofAll || whole()) return receiptsOf(client, { batch_id: batchId }, mostReceipts)
    if (refusedIn(counts) === 0) return []
    const found: ReceiptResponse[] = []
    for (const state of refusedStates) {
      if (counts[state] > 0) found.push(...(await receiptsOf(client, { batch_id: batchId, state }, mostReceipts)))
    }
    return found.filter(isRefused)
  }

  return {
    add(batchId, ofAll) {
      const followed = before.then(() => follow(batchId, ofAll))
      // the caller gets the error from the returned promise
      before = followed.catch(() => {})
      return followed
    },
    ended: () => endedBefore + endedNow,
    stop() {
      stopped = true
    },
  }
}
