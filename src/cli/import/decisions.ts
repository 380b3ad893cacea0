/** Sends decisions in batches, a few at a time, and follows their receipts until they have ended. */
import type { OutcomeImportItem } from '../../decisions/outcome-input.ts'
import { type Client, pause } from '../client/client.ts'
import { forEachConcurrent } from '../client/for-each-concurrent.ts'
import { isRefused, type ReceiptResponse } from '../client/receipts.ts'
import { Failure } from '../terminal/failure.ts'
import { type Batch, bodyOf, type Sendable, wavesOf } from './batches.ts'
import { follower } from './follow.ts'
import { type Place, type Refusal, refusalOf } from './refusal.ts'

export interface DecisionsSent {
  /** Accepted, and not rejected at once. Some of them may be refused later, when they are applied. */
  accepted: number
  /** Recorded by this import, or already recorded with the same text. */
  applied: number
  /** Of `applied`: already recorded before. Undefined if there are too many to check, or if the key may not read. */
  unchanged: number | undefined
  refused: Refusal[]
  batchIds: string[]
}

export interface DecisionSender {
  /** Resolves when all are accepted or refused. Their receipts are followed in the background. */
  send(items: readonly Item[]): Promise<void>
  /** Resolves once all receipts have ended. */
  finish(): Promise<DecisionsSent>
  /** Stops the background work after an error elsewhere. */
  stop(): void
  /** Decisions that are refused or whose receipt has ended, so far. */
  ended(): number
  sent(): number
}

export interface Sending {
  client: Client
  signal: AbortSignal
  /** The key of the run. Idempotency keys are made from it. */
  runKey: string
  /** true: wait until every receipt has ended. false: only until everything is accepted. */
  wait: boolean
  /** Called when some decisions or memories were accepted or have ended. */
  onProgress(): void
}

interface Item extends Sendable, Sent {
  /**
   * Already in the store: it is not sent, but keeps its place in its batch, so that a resumed run makes the same
   * batches.
   */
  isThere: boolean
}

export interface OutcomesToRecord extends Place {
  /** The id of the decision in this store. */
  decision: string
  outcomes: readonly OutcomeImportItem[]
}

/** What is kept of an item after it was sent. */
interface Sent extends Place {
  outcomes: readonly OutcomeImportItem[]
}

interface BatchAnswer {
  batch_id: string
  receipts: { index: number; external_id: string; receipt: ReceiptResponse }[]
  refused: { index: number; external_id: string | null; problem: { code: string; detail: string } }[]
}

/** The service accepts two batches of one credential at a time. */
const batchesInFlight = 2
/** ms. Long, because the service may queue a batch, and the network may be slow. */
const batchTimeout = 180_000
/** With more decisions than this, checking which ones were already recorded would take too long. */
const mostChecked = 20_000
/** Batches that are accepted but have open receipts. More would only make the queue of the service longer. */
const mostBatchesOpen = 50
/** Ids that one request may have (specification 8). */
const idsAtOnce = 50

/** `onApplied` gets those decisions of a batch that are applied and have outcomes to record. */
export function decisionSender(
  { client, signal, runKey, wait, onProgress }: Sending,
  onApplied: (decisions: OutcomesToRecord[]) => Promise<void>,
): DecisionSender {
  const sent: DecisionsSent = { accepted: 0, applied: 0, unchanged: 0, refused: [], batchIds: [] }
  const follow = follower(client, signal, () => sent.unchanged !== undefined, onProgress)
  const followed: Promise<void>[] = []
  let batchesOpen = 0
  let next = 0
  /** Decisions that were refused without a receipt. */
  let refusedAtOnce = 0
  /** Decisions whose receipt was already rejected in the answer, for example because they contain a credential. */
  let rejectedAtOnce = 0
  let failure: unknown

  async function sendBatch({ items }: Batch<Item>, number: number): Promise<void> {
    const batch = { items: items.filter(({ isThere }) => !isThere) }
    if (batch.items.length === 0) return
    const call = { body: bodyOf(batch), idempotencyKey: `${runKey}.${number}`, timeout: batchTimeout }
    const answer = await client
      .call<BatchAnswer>({ method: 'POST', path: '/v1/decisions/batch', ...call })
      .catch(answerIfAllRefused)
    sent.batchIds.push(answer.batch_id)
    const rejected = answer.receipts.filter(({ receipt }) => isRefused(receipt))
    sent.accepted += answer.receipts.length - rejected.length
    rejectedAtOnce += rejected.length
    refusedAtOnce += answer.refused.length
    if (sent.accepted > mostChecked) sent.unchanged = undefined
    const places = batch.items.map(({ file, line, outcomes }) => ({ file, line, outcomes }))
    for (const { index, problem } of answer.refused) {
      sent.refused.push({ ...placeAt(places, index), code: problem.code, message: problem.detail })
    }
    for (const { index, receipt } of rejected) sent.refused.push(refusalOf(placeAt(places, index), receipt))
    onProgress()
    const hasOutcomes = places.some(({ outcomes }) => outcomes.length > 0)
    if ((wait || hasOutcomes) && answer.receipts.length > 0) followOn(answer, places, hasOutcomes)
  }

  function followOn({ batch_id, receipts }: BatchAnswer, places: readonly Sent[], whole: boolean): void {
    // receipts that were rejected at once are already among the refused
    const open = receipts.filter(({ receipt }) => !isRefused(receipt))
    const placeOf = new Map(open.map(({ index, receipt }) => [receipt.receipt_id, placeAt(places, index)]))
    batchesOpen += 1
    const ended = follow
      .add(batch_id, whole)
      .then((end) => settle(end.counts.applied, end.receipts, placeOf))
      .catch((error: unknown) => {
        failure ??= error
      })
      .finally(() => (batchesOpen -= 1))
    followed.push(ended)
  }

  /** Counts the outcomes of a batch whose receipts have ended. */
  async function settle(applied: number, receipts: readonly ReceiptResponse[], placeOf: ReadonlyMap<string, Sent>) {
    if (wait) sent.applied += applied
    for (const receipt of receipts) {
      const place = placeOf.get(receipt.receipt_id)
      if (place !== undefined && receipt.state !== 'applied') sent.refused.push(refusalOf(place, receipt))
    }
    await onApplied(
      receipts.flatMap(({ receipt_id, state, entity }) => {
        const item = placeOf.get(receipt_id)
        return state === 'applied' && entity && item && item.outcomes.length > 0
          ? [{ ...item, decision: entity.id }]
          : []
      }),
    )
    if (!wait) return
    const unchanged = sent.unchanged === undefined ? undefined : await unchangedAmong(receipts, client)
    sent.unchanged = unchanged === undefined || sent.unchanged === undefined ? undefined : sent.unchanged + unchanged
  }

  return {
    async send(items) {
      for (const wave of wavesOf(items)) {
        const first = next
        next += wave.length
        await forEachConcurrent(wave, batchesInFlight, async (batch, at) => {
          while (batchesOpen >= mostBatchesOpen && failure === undefined) await pause(100, signal)
          if (failure !== undefined) throw failure
          await sendBatch(batch, first + at)
        })
      }
    },
    async finish() {
      await Promise.all(followed)
      if (failure !== undefined) throw failure
      return sent
    },
    stop: () => follow.stop(),
    sent: () => sent.accepted + rejectedAtOnce + refusedAtOnce,
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

function placeAt(places: readonly Sent[], index: number): Sent {
  return places[index] ?? { file: '', line: 0, outcomes: [] }
}

/**
 * The revision that a receipt made has the time at which the receipt was accepted. A revision with an earlier time was
 * already recorded. Undefined if the key may not read.
 */
async function unchangedAmong(receipts: readonly ReceiptResponse[], client: Client): Promise<number | undefined> {
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
