/** Keeps the callers that wait until something of a run changes. */
import type { RecordId } from '../../ids.ts'

export interface WaitingRoom {
  /** Resolves at `wake`, after `ms`, when the signal is aborted, or at `close`. */
  wait(run: RecordId, until: { ms?: number; signal?: AbortSignal }): Promise<void>
  wake(run: RecordId): void
  close(): void
}

export function waitingRoom(): WaitingRoom {
  const waiting = new Map<RecordId, Set<() => void>>()
  let isClosed = false

  function wake(run: RecordId): void {
    for (const leave of [...(waiting.get(run) ?? [])]) leave()
  }

  return {
    wait(run, { ms, signal }) {
      if (isClosed || signal?.aborted) return Promise.resolve()
      return new Promise((resolve) => {
        const others = waiting.get(run) ?? new Set()
        waiting.set(run, others)
        const leave = () => {
          clearTimeout(timer)
          signal?.removeEventListener('abort', leave)
          others.delete(leave)
          if (others.size === 0 && waiting.get(run) === others) waiting.delete(run)
          resolve()
        }
        const timer = ms === undefined ? undefined : setTimeout(leave, ms)
        signal?.addEventListener('abort', leave, { once: true })
        others.add(leave)
      })
    },
    wake,
    close() {
      isClosed = true
      for (const run of [...waiting.keys()]) wake(run)
    },
  }
}
