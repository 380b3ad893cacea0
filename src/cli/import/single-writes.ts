/** Sends writes one by one, several at a time, and waits for their receipts. */
import type { Call, Client } from '../client/client.ts'
import { forEachConcurrent } from '../client/for-each-concurrent.ts'
import { isOpen, isRefused, type ReceiptResponse, receiptWithId } from '../client/receipts.ts'
import { isRefusal, type Place, type Refusal, refusalOf } from './refusal.ts'

export interface SingleWrites<Item> {
  /** Resolves when all are accepted or refused, and those to wait for have ended. */
  send(items: readonly Item[]): Promise<void>
  /** For an item that is not sent. */
  refuse(item: Place, code: string, message: string): void
  sent: {
    /** Accepted, and not rejected at once. Some of them may be refused later, when they are applied. */
    accepted: number
    /** Of those that were waited for. */
    applied: number
    refused: Refusal[]
  }
  /** Of `refused`: accepted, and refused when they were applied. */
  refusedLater(): number
}

export interface HowToSend<Item> {
  client: Client
  callOf(item: Item): Call
  isAwaited(item: Item): boolean
  onApplied(item: Item, receipt: ReceiptResponse): void
  onProgress(): void
}

const atOnce = 8
/** Seconds that the service may delay the answer to one read of a receipt. */
const longestReceiptWait = 25

export function singleWrites<Item extends Place>(how: HowToSend<Item>): SingleWrites<Item> {
  const { client, onProgress } = how
  const sent: SingleWrites<Item>['sent'] = { accepted: 0, applied: 0, refused: [] }
  let refusedLater = 0

  async function accept(item: Item): Promise<ReceiptResponse | undefined> {
    try {
      return await client.call<ReceiptResponse>(how.callOf(item))
    } catch (error) {
      if (!isRefusal(error)) throw error
      add({ file: item.file, line: item.line, code: error.code, message: error.message })
      return undefined
    }
  }

  function add(refusal: Refusal): void {
    sent.refused.push(refusal)
    onProgress()
  }

  return {
    async send(items) {
      const accepted: { item: Item; receipt: ReceiptResponse }[] = []
      await forEachConcurrent(items, atOnce, async (item) => {
        const receipt = await accept(item)
        if (!receipt) return
        // for example because it contains a credential
        if (isRefused(receipt)) return add(refusalOf(item, receipt))
        sent.accepted += 1
        accepted.push({ item, receipt })
        onProgress()
      })
      const awaited = accepted.filter(({ item }) => how.isAwaited(item))
      await forEachConcurrent(awaited, atOnce, async ({ item, receipt }) => {
        let now = receipt
        while (isOpen(now)) now = await receiptWithId(client, receipt.receipt_id, longestReceiptWait)
        if (now.state !== 'applied') {
          refusedLater += 1
          return add(refusalOf(item, now))
        }
        sent.applied += 1
        how.onApplied(item, now)
        onProgress()
      })
    },
    refuse: ({ file, line }, code, message) => add({ file, line, code, message }),
    sent,
    refusedLater: () => refusedLater,
  }
}
