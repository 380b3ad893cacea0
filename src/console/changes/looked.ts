import { useEffect, useMemo } from 'preact/hooks'
import { useSurroundings } from '../parts/context.ts'

const name = 'last change looked at'

/**
 * The time of the newest change that the reader saw on an earlier visit of the page. undefined: this is the first visit.
 * `newest`: the time of the newest change of this visit, once it is known.
 */
export function useLookedUntil(newest: string | undefined): string | undefined {
  const { notes, service } = useSurroundings()
  // another key may be used from now on
  const before = useMemo(() => notes.read(name), [notes, service])
  useEffect(() => {
    if (newest !== undefined && newest > (notes.read(name) ?? '')) notes.write(name, newest)
  }, [notes, newest])
  return before
}
