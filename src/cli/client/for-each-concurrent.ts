/**
 * Runs `work` on each item, at most `atOnce` at a time, and starts them in order. Rejects with the first error, once
 * all running work has ended.
 */
export async function forEachConcurrent<T>(
  items: readonly T[],
  atOnce: number,
  work: (item: T, at: number) => Promise<void>,
): Promise<void> {
  let next = 0
  let broken = false
  async function runner(): Promise<void> {
    while (next < items.length && !broken) {
      const at = next++
      try {
        await work(items[at] as T, at)
      } catch (error) {
        broken = true
        throw error
      }
    }
  }
  const runners = await Promise.allSettled(Array.from({ length: Math.min(atOnce, items.length) }, runner))
  for (const one of runners) if (one.status === 'rejected') throw one.reason
}
