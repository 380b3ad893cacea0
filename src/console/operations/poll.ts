import { useEffect } from 'preact/hooks'
import type { Reading } from '../parts/context.ts'

/** ms */
const every = 3_000

/** Reads again every few seconds while something is under way, and the tab is seen. */
export function usePolling({ again, isLoading }: Reading<unknown>, isUnderWay: boolean): void {
  useEffect(() => {
    if (!isUnderWay || isLoading) return undefined
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') again()
    }, every)
    return () => clearInterval(timer)
  }, [again, isLoading, isUnderWay])
}
