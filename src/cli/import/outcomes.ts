/**
 * Records how imported decisions worked out, once the decisions themselves are applied. Outcomes that a decision already
 * has are not recorded again, so an import may be repeated, and continues where it was interrupted.
 */
import { type OutcomeImportItem, outcomeImportItem } from '../../decisions/outcome-input.ts'
import { canonicalJson } from '../../text/canonical.ts'
import { sha256Of } from '../../text/sha256.ts'
import { forEachConcurrent } from '../client/for-each-concurrent.ts'
import { ifAllowed } from '../client/if-allowed.ts'
import { isOpen, isRefused, type ReceiptResponse, receiptWithId } from '../client/receipts.ts'
import { outcomesOf } from '../export/outcomes.ts'
import type { OutcomesToRecord, Sending } from './decisions.ts'
import { isRefusal, type Place, type Refusal, refusalOf } from './refusal.ts'

export interface OutcomesSent {
  /** Recorded; without `wait`: accepted. */
  recorded: number
  /** The decision had them before. */
  unchanged: number
  refused: Refusal[]
}

export interface OutcomeSender {
  /**
   * Records the outcomes of each decision in their order, several decisions at a time, after those of earlier calls.
   * Resolves once all have ended; without `wait` once all are accepted.
   */
  record(items: readonly OutcomesToRecord[]): Promise<void>
  sent: OutcomesSent
}

const atOnce = 8
/** Seconds that the service may delay the answer to one read of a receipt. */
const longestReceiptWait = 25

export function outcomeSender({ client, runKey, wait, onProgress }: Omit<Sending, 'signal'>): OutcomeSender {
  const sent: OutcomesSent = { recorded: 0, unchanged: 0, refused: [] }
  let before: Promise<unknown> = Promise.resolve()
  let mayRead = true

  async function recordOf({ decision, outcomes, ...place }: OutcomesToRecord): Promise<void> {
    const there = mayRead ? await ifAllowed(outcomesOf(client, decision)) : undefined
    mayRead = there !== undefined
    const known = (there ?? []).flatMap(({ id: _, recorded_at: __, ...outcome }) => {
      // an older outcome may have a blank text, which is refused today, so no line can be equal to it
      const { success, data } = outcomeImportItem.safeParse(outcome)
      return success ? [data] : []
    })
    const missing = missingIn(outcomes, known)
    sent.unchanged += outcomes.length - missing.length
    const accepted: ReceiptResponse[] = []
    for (const { outcome, key } of missing) {
      const receipt = await accept(decision, outcome, key, place)
      if (receipt) accepted.push(receipt)
    }
    for (const receipt of accepted) {
      let now = receipt
      while (wait && isOpen(now)) now = await receiptWithId(client, receipt.receipt_id, longestReceiptWait)
      if (isRefused(now)) sent.refused.push(refusalOf(place, now))
      else sent.recorded += 1
      onProgress()
    }
  }

  async function accept(decision: string, outcome: OutcomeImportItem, key: string, place: Place) {
    const { outcome_status, outcome_notes, observed_at, sources } = outcome
    const body = {
      outcome_status,
      ...(outcome_notes === null ? {} : { outcome_notes }),
      ...(observed_at === null ? {} : { observed_at }),
      ...(sources.length === 0 ? {} : { sources }),
    }
    const send = (idempotencyKey: string) => {
      const path = `/api/v2/decisions/${decision}/outcome`
      return client.call<ReceiptResponse>({ method: 'PATCH', path, body, idempotencyKey })
    }
    try {
      const ofDecision = sha256Of(JSON.stringify([decision, key]))
      const receipt = await send(`outcome.${ofDecision}`)
      // what refused it in an earlier import may be over, such as a date that was in the future
      return isRefused(receipt) ? await send(`${runKey}.outcome.${ofDecision}`) : receipt
    } catch (error) {
      if (!isRefusal(error)) throw error
      sent.refused.push({ ...place, code: error.code, message: error.message })
      return undefined
    }
  }

  return {
    record(items) {
      const recorded = before.then(() => forEachConcurrent(byDecision(items), atOnce, recordOf))
      // the caller gets the error from the returned promise
      before = recorded.catch(() => {})
      return recorded
    },
    sent,
  }
}

/** An export may name a decision in several lines. */
function byDecision(items: readonly OutcomesToRecord[]): OutcomesToRecord[] {
  const merged = new Map<string, OutcomesToRecord>()
  for (const item of items) {
    const { outcomes = [], ...first } = merged.get(item.decision) ?? { ...item, outcomes: [] }
    merged.set(item.decision, { ...first, outcomes: [...outcomes, ...item.outcomes] })
  }
  return [...merged.values()]
}

/**
 * The outcomes that are not among the known ones, in their order. Each known one is the same as one outcome at most: a
 * decision may have two that are equal. An outcome without a date equals a known one of any date. `key`: says which
 * outcome of the decision it is, and stays the same in every import.
 */
function missingIn(outcomes: readonly OutcomeImportItem[], known: readonly OutcomeImportItem[]) {
  const left = known.map((one) => ({
    dated: canonicalJson(one),
    undated: canonicalJson({ ...one, observed_at: null }),
  }))
  const times = new Map<string, number>()
  return outcomes.flatMap((outcome) => {
    const json = canonicalJson(outcome)
    const time = times.get(json) ?? 0
    times.set(json, time + 1)
    const at = left.findIndex((one) => (outcome.observed_at === null ? one.undated : one.dated) === json)
    if (at < 0) return [{ outcome, key: `${time}.${json}` }]
    left.splice(at, 1)
    return []
  })
}
