/** Follows batches that were accepted until every receipt of them has ended, the oldest batch first. */
import { type Client, pause } from '../client.ts'
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
} from '../receipts.ts'

export interface Followed {
  counts: Counts
  /** Those that were not applied; all of them where `whole`. */
  receipts: ReceiptResponse[]
}

export interface Follower {
  add(batchId: string): Promise<Followed>
  /** How many receipts of all batches have ended. */
  ended(): number
  /** After an error elsewhere: nothing goes on behind the caller's back. */
  stop(): void
}

/** ms between two looks: short ones first, for most imports are small. */
const looks = [50, 100, 200, 400, 800]
/** Receipts of a batch: as many as it may have decisions. */
const mostReceipts = 1000

/** `whole`: whether to read every receipt, not only those that failed. `changed` hears of every look. */
export function follower(client: Client, signal: AbortSignal, whole: () => boolean, changed: () => void): Follower {
  let before: Promise<unknown> = Promise.resolve()
  let endedBefore = 0
  let endedNow = 0
  let stopped = false

  async function follow(batchId: string): Promise<Followed> {
    let counts = await countsOf(client, batchId)
    for (let look = 0; openIn(counts) > 0 && !stopped; look++) {
      endedNow = total(counts) - openIn(counts)
      changed()
      await pause(looks[Math.min(look, looks.length - 1)] as number, signal)
      counts = await countsOf(client, batchId)
    }
    const receipts = stopped ? [] : await endedOf(batchId, counts)
    endedBefore += total(counts) - openIn(counts)
    endedNow = 0
    changed()
    return { counts, receipts }
  }

  async function endedOf(batchId: string, counts: Counts): Promise<ReceiptResponse[]> {
    if (whole()) return receiptsOf(client, { batch_id: batchId }, mostReceipts)
    if (refusedIn(counts) === 0) return []
    const found: ReceiptResponse[] = []
    for (const state of refusedStates) {
      if (counts[state] > 0) found.push(...(await receiptsOf(client, { batch_id: batchId, state }, mostReceipts)))
    }
    return found.filter(isRefused)
  }

  return {
    add(batchId) {
      const followed = before.then(() => follow(batchId))
      // the caller hears of the error by what is returned
      before = followed.catch(() => {})
      return followed
    },
    ended: () => endedBefore + endedNow,
    stop() {
      stopped = true
    },
  }
}
