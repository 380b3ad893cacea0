/** Sends decisions in batches, a few in flight, and follows their receipts to the end. */
import { type Client, pause } from '../client.ts'
import { Failure } from '../failure.ts'
import { inFlight } from '../in-flight.ts'
import type { ReceiptShown } from '../receipts.ts'
import { type Batch, bodyOf, type Sendable, wavesOf } from './batches.ts'
import { follower } from './follow.ts'
import type { Place, Refusal } from './refusal.ts'

export interface DecisionsSent {
  accepted: number
  /** Recorded now, or there already in the same words. */
  applied: number
  /** Of `applied`: were there already. undefined where there were too many to look, or the key may not read. */
  unchanged: number | undefined
  refused: Refusal[]
  batchIds: string[]
}

export interface DecisionSender {
  /** Resolves when all are accepted or refused; their receipts are followed meanwhile. */
  send(items: readonly Item[]): Promise<void>
  /** Once all receipts have ended. */
  finish(): Promise<DecisionsSent>
  /** After an error elsewhere: nothing goes on behind the caller's back. */
  stop(): void
  /** So far: refused, or ended in any other way. */
  ended(): number
  sent(): number
}

export interface Sending {
  client: Client
  signal: AbortSignal
  /** Of the run; the keys of what it sends are made of it. */
  runKey: string
  /** Until every receipt has ended, or only until it is accepted. */
  wait: boolean
  /** Some were accepted, or some have ended. */
  moved(): void
}

interface Item extends Sendable, Place {
  /** Is in the store already: not sent, but it keeps its place, so that a resumed run cuts the same batches. */
  isThere: boolean
}

interface BatchAnswer {
  batch_id: string
  receipts: { index: number; external_id: string; receipt: ReceiptShown }[]
  refused: { index: number; external_id: string | null; problem: { code: string; detail: string } }[]
}

/** The service accepts two batches of one credential at a time. */
const batchesInFlight = 2
/** ms; the service may keep a batch waiting for its turn, and a slow network takes its time. */
const batchTimeout = 180_000
/** For so many decisions it is worth looking which were there already. */
const mostLookedAt = 20_000
/** Accepted and not yet followed to the end; more would only make the service's queue longer. */
const mostBatchesOpen = 50
/** What one hydration takes (specification 8). */
const idsAtOnce = 50

export function decisionSender({ client, signal, runKey, wait, moved }: Sending): DecisionSender {
  const sent: DecisionsSent = { accepted: 0, applied: 0, unchanged: 0, refused: [], batchIds: [] }
  const follow = follower(client, signal, () => sent.unchanged !== undefined, moved)
  const followed: Promise<void>[] = []
  let batchesOpen = 0
  let next = 0
  let refusedAtOnce = 0
  let broken: unknown

  async function sendBatch({ items }: Batch<Item>, number: number): Promise<void> {
    const batch = { items: items.filter(({ isThere }) => !isThere) }
    if (batch.items.length === 0) return
    const call = { body: bodyOf(batch), idempotencyKey: `${runKey}.${number}`, timeout: batchTimeout }
    const answer = await client
      .call<BatchAnswer>({ method: 'POST', path: '/v1/decisions/batch', ...call })
      .catch(answerIfAllRefused)
    sent.batchIds.push(answer.batch_id)
    sent.accepted += answer.receipts.length
    refusedAtOnce += answer.refused.length
    if (sent.accepted > mostLookedAt) sent.unchanged = undefined
    const places = batch.items.map(({ file, line }) => ({ file, line }))
    for (const { index, problem } of answer.refused) {
      sent.refused.push({ ...placeAt(places, index), code: problem.code, message: problem.detail })
    }
    moved()
    if (wait && answer.receipts.length > 0) followOn(answer, places)
  }

  function followOn({ batch_id, receipts }: BatchAnswer, places: readonly Place[]): void {
    const placeOf = new Map(receipts.map(({ index, receipt }) => [receipt.receipt_id, placeAt(places, index)]))
    batchesOpen += 1
    const ended = follow
      .add(batch_id)
      .then((end) => settle(end.counts.applied, end.receipts, placeOf))
      .catch((error: unknown) => {
        broken ??= error
      })
      .finally(() => (batchesOpen -= 1))
    followed.push(ended)
  }

  /** Of a batch whose receipts have ended: what became of each. */
  async function settle(applied: number, receipts: readonly ReceiptShown[], placeOf: ReadonlyMap<string, Place>) {
    sent.applied += applied
    for (const { receipt_id, error, state } of receipts) {
      const place = placeOf.get(receipt_id)
      if (place === undefined || state === 'applied') continue
      sent.refused.push({ ...place, code: error?.code ?? state, message: error?.message ?? `It ended ${state}.` })
    }
    const unchanged = sent.unchanged === undefined ? undefined : await unchangedAmong(receipts, client)
    sent.unchanged = unchanged === undefined || sent.unchanged === undefined ? undefined : sent.unchanged + unchanged
  }

  return {
    async send(items) {
      for (const wave of wavesOf(items)) {
        const first = next
        next += wave.length
        await inFlight(wave, batchesInFlight, async (batch, at) => {
          while (batchesOpen >= mostBatchesOpen && broken === undefined) await pause(100, signal)
          if (broken !== undefined) throw broken
          await sendBatch(batch, first + at)
        })
      }
    },
    async finish() {
      await Promise.all(followed)
      if (broken !== undefined) throw broken
      return sent
    },
    stop: () => follow.stop(),
    sent: () => sent.accepted + refusedAtOnce,
    ended: () => follow.ended() + refusedAtOnce,
  }
}

/** A batch of which nothing was accepted is answered as a problem that lists why: the other batches go on. */
function answerIfAllRefused(error: unknown): BatchAnswer {
  const details = error instanceof Failure ? (error.details.details as Partial<BatchAnswer> | undefined) : undefined
  const { batch_id, refused } = details ?? {}
  if (typeof batch_id !== 'string' || !Array.isArray(refused)) throw error
  return { batch_id, receipts: [], refused }
}

function placeAt(places: readonly Place[], index: number): Place {
  return places[index] ?? { file: '', line: 0 }
}

/**
 * A revision that its receipt made was recorded when that was accepted; any other one was there before. undefined: the
 * key may not read.
 */
async function unchangedAmong(receipts: readonly ReceiptShown[], client: Client): Promise<number | undefined> {
  const acceptedAt = new Map<string, string[]>()
  for (const { state, entity, accepted_at } of receipts) {
    if (state === 'applied' && entity) acceptedAt.set(entity.id, [...(acceptedAt.get(entity.id) ?? []), accepted_at])
  }
  const ids = [...acceptedAt.keys()]
  let unchanged = 0
  try {
    for (let at = 0; at < ids.length; at += idsAtOnce) {
      const { items } = await client.call<{ items: { id: string; recorded_at: string }[] }>({
        method: 'POST',
        path: '/v1/decisions/search',
        body: { ids: ids.slice(at, at + idsAtOnce) },
        reads: true,
      })
      for (const { id, recorded_at } of items) {
        unchanged += (acceptedAt.get(id) ?? []).filter((accepted) => accepted > recorded_at).length
      }
    }
  } catch (error) {
    if (error instanceof Failure && error.code === 'insufficient_scope') return undefined
    throw error
  }
  return unchanged
}
