/** Which indexes were asked for and not there, for the readiness of the service. */
import { MissingIndex } from './failure.ts'

export interface MissedIndexes {
  /** What `call` resolves with; remembers the index where it is missing. */
  watch<T>(index: string, call: Promise<T>): Promise<T>
  /** It is there, or is wanted no more. */
  found(index: string): void
  /** Those asked for in vain since the last time. */
  take(): string[]
}

const mostRemembered = 100

export function missedIndexes(): MissedIndexes {
  const names = new Set<string>()
  return {
    async watch(index, call) {
      try {
        return await call
      } catch (error) {
        if (error instanceof MissingIndex && names.size < mostRemembered) names.add(index)
        throw error
      }
    },
    found: (index) => void names.delete(index),
    take() {
      // one that was replaced is asked for no more, and then forgotten
      const taken = [...names]
      names.clear()
      return taken
    },
  }
}
