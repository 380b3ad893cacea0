import { holds, release } from './reserve.ts'

/** Puts goods of baskets that nobody paid back on the shelf, once a minute. */
export function startSweeper(holdMinutes: number): () => void {
  const timer = setInterval(() => {
    const oldest = Date.now() - holdMinutes * 60_000
    for (const { order, since } of [...holds]) if (since < oldest) release(order)
  }, 60_000)
  return () => clearInterval(timer)
}
