/**
 * Sends memories one by one, several in flight. A correction waits until the memory that it corrects is there, and names
 * it by the id that it has got.
 */
import type { RememberInput } from '../../memories/input.ts'
import { Failure } from '../failure.ts'
import { inFlight } from '../in-flight.ts'
import { isOpen, type ReceiptResponse, receiptWithId } from '../receipts.ts'
import type { Sending } from './decisions.ts'
import { memoriesHere } from './memories-here.ts'
import type { Place, Refusal } from './refusal.ts'

export interface SendableMemory extends Place {
  input: RememberInput
  /** The id that it has where it was exported: others name it by that. */
  id?: string
  /** From 0, in the order of the source; belongs to its key. */
  number: number
}

export interface MemoriesSent {
  accepted: number
  /** Recorded now, reaffirmed, or there already. */
  applied: number
  /** Of `applied`: those of an export that were here already. */
  unchanged: number
  refused: Refusal[]
}

export interface MemorySender {
  /** What can't be sent before others are there is kept for later. */
  send(items: readonly SendableMemory[]): Promise<void>
  /** Sends what was kept. */
  finish(): Promise<MemoriesSent>
  sent(): number
  ended(): number
}

const atOnce = 8
/** Seconds that the service may hold back the answer to one look. */
const longestHold = 25

export function memorySender({ client, runKey, wait, moved }: Sending): MemorySender {
  const sent: MemoriesSent = { accepted: 0, applied: 0, unchanged: 0, refused: [] }
  /** From the id in the source to the one here. */
  const ids = new Map<string, string>()
  let kept: SendableMemory[] = []

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
      refuse(item, error)
      return undefined
    }
  }

  function refuse({ file, line }: SendableMemory, { code, message }: { code: string; message: string }): void {
    sent.refused.push({ file, line, code, message })
    moved()
  }

  async function sendNow(items: readonly SendableMemory[]): Promise<void> {
    const accepted: { item: SendableMemory; receipt: ReceiptResponse }[] = []
    await inFlight(items, atOnce, async (item) => {
      const receipt = await accept(item)
      if (!receipt) return
      sent.accepted += 1
      accepted.push({ item, receipt })
      moved()
    })
    // others may name those with an id: their new one is known when they are applied
    const awaited = wait ? accepted : accepted.filter(({ item }) => item.id !== undefined)
    await inFlight(awaited, atOnce, async ({ item, receipt }) => {
      let now = receipt
      while (isOpen(now)) now = await receiptWithId(client, receipt.receipt_id, longestHold)
      if (now.state !== 'applied') {
        return refuse(item, now.error ?? { code: now.state, message: `It ended ${now.state}.` })
      }
      sent.applied += 1
      if (item.id !== undefined && now.entity) ids.set(item.id, now.entity.id)
      moved()
    })
  }

  return {
    async send(items) {
      for (const [id, here] of await memoriesHere(items, client)) ids.set(id, here)
      const there = items.filter(({ id }) => id !== undefined && ids.has(id))
      sent.applied += there.length
      sent.unchanged += there.length
      const missing = items.filter((item) => !there.includes(item))
      const waits = ({ input: { corrects_memory_id: target } }: SendableMemory) =>
        target !== undefined && !ids.has(target)
      kept.push(...missing.filter(waits))
      await sendNow(missing.filter((item) => !waits(item)))
    },

    async finish() {
      while (kept.length > 0) {
        const coming = new Set(kept.flatMap(({ id }) => id ?? []))
        const ready = kept.filter(({ input }) => !coming.has(input.corrects_memory_id ?? ''))
        // they correct each other in a circle: nobody can tell which is first
        if (ready.length === 0) break
        kept = kept.filter((item) => !ready.includes(item))
        await sendNow(ready)
      }
      for (const item of kept) refuse(item, { code: 'not_found', message: 'What it corrects was not imported.' })
      return sent
    },

    sent: () => sent.accepted + sent.unchanged + sent.refused.length,
    ended: () => sent.applied + sent.refused.length,
  }
}

function withNewIds(input: RememberInput, ids: ReadonlyMap<string, string>): RememberInput {
  const target = input.corrects_memory_id
  return target === undefined ? input : { ...input, corrects_memory_id: ids.get(target) ?? target }
}

const ofThisOne: readonly unknown[] = [400, 404, 409, 413]

/** Of this one memory, and not of the key or the service. */
function isRefusal(error: unknown): error is Failure {
  return error instanceof Failure && ofThisOne.includes(error.details.status)
}
