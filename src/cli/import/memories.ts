/**
 * Sends memories one by one, several at a time. A correction waits until the memory that it corrects is recorded, and
 * refers to it by its id in this store.
 */
import type { RememberInput } from '../../memories/input.ts'
import { forEachConcurrent } from '../client/for-each-concurrent.ts'
import { isOpen, isRefused, type ReceiptResponse, receiptWithId } from '../client/receipts.ts'
import type { Sending } from './decisions.ts'
import { existingMemories } from './existing-memories.ts'
import { isRefusal, type Place, type Refusal, refusalOf } from './refusal.ts'

export interface SendableMemory extends Place {
  input: RememberInput
  /** Its id in the store that it was exported from. Other lines refer to it by this id. */
  id?: string
  /** From 0, in the order of the source. Part of its idempotency key. */
  number: number
}

export interface MemoriesSent {
  /** Accepted, and not rejected at once. Some of them may be refused later, when they are applied. */
  accepted: number
  /** Recorded or confirmed by this import, or already recorded. */
  applied: number
  /** Of `applied`: memories of an export that were already in this store. */
  unchanged: number
  refused: Refusal[]
}

export interface MemorySender {
  /** Keeps corrections for later whose target is not recorded yet. */
  send(items: readonly SendableMemory[]): Promise<void>
  /** Sends the corrections that were kept. */
  finish(): Promise<MemoriesSent>
  sent(): number
  ended(): number
}

const atOnce = 8
/** Seconds that the service may delay the answer to one read of a receipt. */
const longestReceiptWait = 25

export function memorySender({ client, runKey, wait, onProgress }: Sending): MemorySender {
  const sent: MemoriesSent = { accepted: 0, applied: 0, unchanged: 0, refused: [] }
  /** Maps ids of the source to ids in this store. */
  const ids = new Map<string, string>()
  let kept: SendableMemory[] = []
  /** Memories that were accepted, and refused when they were applied. */
  let refusedLater = 0

  async function accept(item: SendableMemory): Promise<ReceiptResponse | undefined> {
    try {
      return await client.call<ReceiptResponse>({
        method: 'POST',
        path: '/v1/context/memories',
        body: withNewIds(item.input, ids),
        idempotencyKey: `${runKey}.memory.${item.number}`,
      })
    } catch (error) {
      if (!isRefusal(error)) throw error
      refuse({ file: item.file, line: item.line, code: error.code, message: error.message })
      return undefined
    }
  }

  function refuse(refusal: Refusal): void {
    sent.refused.push(refusal)
    onProgress()
  }

  async function sendNow(items: readonly SendableMemory[]): Promise<void> {
    const accepted: { item: SendableMemory; receipt: ReceiptResponse }[] = []
    await forEachConcurrent(items, atOnce, async (item) => {
      const receipt = await accept(item)
      if (!receipt) return
      // for example because it contains a credential
      if (isRefused(receipt)) return refuse(refusalOf(item, receipt))
      sent.accepted += 1
      accepted.push({ item, receipt })
      onProgress()
    })
    // corrections may refer to memories with an id; their id in this store is known once they are applied
    const awaited = wait ? accepted : accepted.filter(({ item }) => item.id !== undefined)
    await forEachConcurrent(awaited, atOnce, async ({ item, receipt }) => {
      let now = receipt
      while (isOpen(now)) now = await receiptWithId(client, receipt.receipt_id, longestReceiptWait)
      if (now.state !== 'applied') {
        refusedLater += 1
        return refuse(refusalOf(item, now))
      }
      sent.applied += 1
      if (item.id !== undefined && now.entity) ids.set(item.id, now.entity.id)
      onProgress()
    })
  }

  return {
    async send(items) {
      for (const [id, here] of await existingMemories(items, client)) ids.set(id, here)
      const there = items.filter(({ id }) => id !== undefined && ids.has(id))
      sent.applied += there.length
      sent.unchanged += there.length
      const missing = items.filter((item) => !there.includes(item))
      const mustWait = ({ input: { corrects_memory_id: target } }: SendableMemory) =>
        target !== undefined && !ids.has(target)
      kept.push(...missing.filter(mustWait))
      await sendNow(missing.filter((item) => !mustWait(item)))
    },

    async finish() {
      while (kept.length > 0) {
        const coming = new Set(kept.flatMap(({ id }) => id ?? []))
        const ready = kept.filter(({ input }) => !coming.has(input.corrects_memory_id ?? ''))
        // the corrections form a cycle: none of them can be sent first
        if (ready.length === 0) break
        kept = kept.filter((item) => !ready.includes(item))
        await sendNow(ready)
      }
      for (const { file, line } of kept)
        refuse({ file, line, code: 'not_found', message: 'The memory that it corrects was not imported.' })
      return sent
    },

    sent: () => sent.accepted + sent.unchanged + sent.refused.length - refusedLater,
    ended: () => sent.applied + sent.refused.length,
  }
}

function withNewIds(input: RememberInput, ids: ReadonlyMap<string, string>): RememberInput {
  const target = input.corrects_memory_id
  return target === undefined ? input : { ...input, corrects_memory_id: ids.get(target) ?? target }
}
