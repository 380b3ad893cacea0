/**
 * Lets callers wait for receipts to end. If all workers run in this process, they notify the callers. Otherwise all
 * waiting callers of a process share one query every 100 ms (PROTOCOL 4).
 */

import type { ReceiptId } from '../ids.ts'
import type { Clock } from '../ports/clock.ts'
import type { Documents } from '../ports/documents.ts'
import { type ReceiptSeen, receipts, seenFields } from '../receipt.ts'

export interface Waiting {
  /** The receipt after it has ended, or its current state after `ms`. */
  untilEnded(receipt: ReceiptSeen, ms: number): Promise<ReceiptSeen>
  /** Called by workers in this process. */
  ended(ids: readonly ReceiptId[]): void
  close(): void
}

const pollEvery = 100
/** The most ids in one query. */
const mostAtOnce = 1000

/** `workersInProcess`: all workers run in this process and notify callers, so no polling is needed. */
export function waiting(documents: Documents, clock: Clock, workersInProcess: boolean): Waiting {
  const waiters = new Map<ReceiptId, Set<() => void>>()
  let polling = false
  let closed = false

  function wake(id: ReceiptId): void {
    for (const resolve of waiters.get(id) ?? []) resolve()
  }

  async function poll(): Promise<void> {
    if (polling) return
    polling = true
    try {
      while (waiters.size > 0 && !closed) {
        await clock.sleep(pollEvery)
        const all = [...waiters.keys()]
        for (let at = 0; at < all.length; at += mostAtOnce) await look(all.slice(at, at + mostAtOnce))
      }
    } finally {
      polling = false
    }
  }

  async function look(ids: ReceiptId[]): Promise<void> {
    const ended = await documents
      .find(receipts, { where: { id: { in: ids }, open: 0 }, limit: ids.length, fields: ['id'] })
      // the store is unavailable: callers get the last known state when their time is over
      .catch(() => [])
    for (const { id } of ended) wake(id)
  }

  return {
    async untilEnded(receipt, ms) {
      if (receipt.open === 0 || ms <= 0 || closed) return receipt
      const { promise, stop } = waitFor(waiters, receipt.id, ms)
      // it may have ended before we started to wait
      const now = await current(documents, receipt)
      if (now.open === 0) {
        stop()
        return now
      }
      if (!workersInProcess) void poll()
      await promise
      return current(documents, receipt)
    },
    ended(ids) {
      for (const id of ids) wake(id)
    },
    close() {
      closed = true
      for (const id of waiters.keys()) wake(id)
    },
  }
}

async function current(documents: Documents, receipt: ReceiptSeen): Promise<ReceiptSeen> {
  return (await documents.get(receipts, receipt.id, seenFields)) ?? receipt
}

function waitFor(waiters: Map<ReceiptId, Set<() => void>>, id: ReceiptId, ms: number) {
  let stop: () => void = () => {}
  const promise = new Promise<void>((resolve) => {
    const timer = setTimeout(() => stop(), ms)
    stop = () => {
      clearTimeout(timer)
      const others = waiters.get(id)
      others?.delete(stop)
      if (others?.size === 0) waiters.delete(id)
      resolve()
    }
    const others = waiters.get(id) ?? new Set()
    others.add(stop)
    waiters.set(id, others)
  })
  return { promise, stop: () => stop() }
}
