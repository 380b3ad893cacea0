import { useEffect, useMemo, useState } from 'preact/hooks'
import { asRefusal, useSurroundings } from '../parts/context.ts'
import type { Refusal } from '../service/http.ts'
import { openFeed, type Progress } from './feed.ts'
import { placesIn } from './places.ts'

export interface Changes extends Progress {
  isLoading: boolean
  refusal: Refusal | undefined
  /** Continues after a pause, or tries again after a refusal. */
  readOn(): void
}

/** After so many pages the reader is asked whether to read on. */
const pagesAtOnce = 25

const nothing: Progress = { changes: [], read: 0, upTo: undefined, isComplete: false }

/** Reads the changes from a day on. */
export function useChanges(day: string): Changes {
  const { service, notes } = useSurroundings()
  const readPage = useMemo(() => openFeed(day, placesIn(notes), service), [day, notes, service])
  const [turn, setTurn] = useState(0)
  const [state, setState] = useState<{ of: typeof readPage; progress: Progress; refusal?: Refusal }>()
  const [isLoading, setIsLoading] = useState(true)
  useEffect(() => {
    const abort = new AbortController()
    const read = async () => {
      for (let pages = 0; pages < pagesAtOnce; pages++) {
        const progress = await readPage(abort.signal)
        if (abort.signal.aborted) return
        setState({ of: readPage, progress })
        if (progress.isComplete) break
      }
      setIsLoading(false)
    }
    setIsLoading(true)
    read().catch((error: unknown) => {
      if (abort.signal.aborted) return
      setState((before) => {
        const progress = before?.of === readPage ? before.progress : nothing
        return { of: readPage, progress, refusal: asRefusal(error) }
      })
      setIsLoading(false)
    })
    return () => abort.abort()
  }, [readPage, turn])
  const shown = state?.of === readPage ? state : undefined
  return {
    ...(shown?.progress ?? nothing),
    isLoading,
    refusal: isLoading ? undefined : shown?.refusal,
    readOn: () => setTurn((before) => before + 1),
  }
}
