import { useEffect } from 'preact/hooks'
import type { Reading } from './context.ts'

/** ms */
const every = 3_000

/** Reads again every few seconds while the work that it shows goes on, and only while the tab is visible. */
export function usePolling({ again, isLoading }: Reading<unknown>, isUnderWay: boolean): void {
  useEffect(() => {
    if (!isUnderWay || isLoading) return undefined
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') again()
    }, every)
    return () => clearInterval(timer)
  }, [again, isLoading, isUnderWay])
}
