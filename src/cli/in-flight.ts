/** Runs `work` on each item, at most `atOnce` at a time, beginning in their order. Rejects with the first error. */
export async function inFlight<T>(
  items: readonly T[],
  atOnce: number,
  work: (item: T, at: number) => Promise<void>,
): Promise<void> {
  let next = 0
  let broken = false
  async function lane(): Promise<void> {
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
  const lanes = await Promise.allSettled(Array.from({ length: Math.min(atOnce, items.length) }, lane))
  // all lanes have ended: nothing goes on behind the caller's back
  for (const one of lanes) if (one.status === 'rejected') throw one.reason
}
