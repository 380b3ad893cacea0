/** Remembers the indexes that calls did not find, for the readiness of the service. */
import { MissingIndex } from './failure.ts'

export interface MissedIndexes {
  /** Resolves as `call` does. Remembers the index if it is missing. */
  watch<T>(index: string, call: Promise<T>): Promise<T>
  /** The index exists again, or is no longer needed. */
  found(index: string): void
  /** Returns the indexes that were missed since the last take(), and forgets them. */
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
      // an index that was replaced is not used any more, so it is not remembered again
      const taken = [...names]
      names.clear()
      return taken
    },
  }
}
