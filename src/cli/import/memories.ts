/**
 * Sends memories one by one, several at a time. A correction waits until the memory that it corrects is recorded, and
 * refers to it by its id in this store.
 */
import type { RememberInput } from '../../memories/input.ts'
import type { Sending } from './decisions.ts'
import { existingMemories } from './existing-memories.ts'
import type { Place, Refusal } from './refusal.ts'
import { singleWrites } from './single-writes.ts'

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

export function memorySender({ client, runKey, wait, onProgress }: Sending): MemorySender {
  /** Maps ids of the source to ids in this store. */
  const ids = new Map<string, string>()
  const existing = existingMemories(client)
  let kept: SendableMemory[] = []
  let unchanged = 0
  const { send, refuse, sent, refusedLater } = singleWrites<SendableMemory>({
    client,
    callOf: ({ input, number }) => ({
      method: 'POST',
      path: '/v1/context/memories',
      body: withNewIds(input, ids),
      idempotencyKey: `${runKey}.memory.${number}`,
    }),
    // corrections may refer to memories with an id; their id in this store is known once they are applied
    isAwaited: ({ id }) => wait || id !== undefined,
    onApplied({ id }, { entity }) {
      if (id !== undefined && entity) ids.set(id, entity.id)
    },
    onProgress,
  })

  return {
    async send(items) {
      for (const [id, here] of await existing(items)) ids.set(id, here)
      const missing = items.filter(({ id }) => id === undefined || !ids.has(id))
      unchanged += items.length - missing.length
      const mustWait = ({ input: { corrects_memory_id: target } }: SendableMemory) =>
        target !== undefined && !ids.has(target)
      kept.push(...missing.filter(mustWait))
      await send(missing.filter((item) => !mustWait(item)))
    },

    async finish() {
      while (kept.length > 0) {
        const coming = new Set(kept.flatMap(({ id }) => id ?? []))
        const isReady = ({ input }: SendableMemory) => !coming.has(input.corrects_memory_id ?? '')
        const ready = kept.filter(isReady)
        // the corrections form a cycle: none of them can be sent first
        if (ready.length === 0) break
        kept = kept.filter((item) => !isReady(item))
        await send(ready)
      }
      for (const item of kept) refuse(item, 'not_found', 'The memory that it corrects was not imported.')
      return { ...sent, applied: sent.applied + unchanged, unchanged }
    },

    sent: () => sent.accepted + unchanged + sent.refused.length - refusedLater(),
    ended: () => sent.applied + unchanged + sent.refused.length,
  }
}

function withNewIds(input: RememberInput, ids: ReadonlyMap<string, string>): RememberInput {
  const target = input.corrects_memory_id
  return target === undefined ? input : { ...input, corrects_memory_id: ids.get(target) ?? target }
}
