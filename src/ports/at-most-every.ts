/** What is read again only after a while. */
import type { Clock } from './clock.ts'

/** `read`, at most once in `ms`: who asks meanwhile shares the answer. What failed is read again by whoever asks next. */
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
