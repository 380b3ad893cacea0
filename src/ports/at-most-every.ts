/** Caches the result of a read for a while. */
import type { Clock } from './clock.ts'

/**
 * Calls `read` at most once in `ms`. Callers in between share the answer. A failed read is not cached: the next caller
 * reads again.
 */
export function atMostEvery<T>(ms: number, clock: Clock, read: () => Promise<T>): () => Promise<T> {
  let kept: { until: number; answer: Promise<T> } | undefined
  return () => {
    if (kept === undefined || clock.elapsed() >= kept.until) {
      const asked = { until: clock.elapsed() + ms, answer: read() }
      asked.answer.catch(() => {
        if (kept === asked) kept = undefined
      })
      kept = asked
    }
    return kept.answer
  }
}
