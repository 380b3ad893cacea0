/** What every page needs: the service, called with the key of the reader, and the addresses of pages. */
import { createContext } from 'preact'
import { useCallback, useContext, useEffect, useRef, useState } from 'preact/hooks'
import { newIdempotencyKey, Refusal } from '../service/http.ts'
import type { Notes } from '../service/key.ts'
import type { Service } from '../service/service.ts'

export interface Surroundings {
  service: Service
  /** The path of the service, with a slash at the end: a proxy may add a folder. */
  root: string
  notes: Notes
  /** The API key, for threads that call the service. */
  apiKey: string
  threads: Threads
}

/** The addresses of scripts that run in threads of their own. */
export interface Threads {
  import: string
  translate: string
}

export const SurroundingsContext = createContext<Surroundings | undefined>(undefined)

export function useSurroundings(): Surroundings {
  const surroundings = useContext(SurroundingsContext)
  if (surroundings === undefined) throw new Error('outside of SurroundingsContext')
  return surroundings
}

export interface Reading<Value> {
  /** The last value that was read. It stays while it is read again for the same `of`. */
  value: Value | undefined
  refusal: Refusal | undefined
  isLoading: boolean
  again(): void
}

/** Reads when the component appears, and whenever `of` changes. A reading that is no longer wanted is aborted. */
export function useReading<Value>(
  read: (service: Service, signal: AbortSignal) => Promise<Value>,
  of: string,
): Reading<Value> {
  const { service } = useSurroundings()
  const [turn, setTurn] = useState(0)
  const [state, setState] = useState<{ of: string; value?: Value; refusal?: Refusal; isLoading: boolean }>({
    of,
    isLoading: true,
  })
  const latest = useRef(read)
  latest.current = read
  // `of` stands for what `read` reads, and `turn` reads it again
  useEffect(() => {
    const abort = new AbortController()
    setState((before) => ({ ...(before.of === of ? before : { of }), isLoading: true }))
    latest.current(service, abort.signal).then(
      (value) => {
        if (!abort.signal.aborted) setState({ of, value, isLoading: false })
      },
      (error: unknown) => {
        if (!abort.signal.aborted) setState({ of, refusal: asRefusal(error), isLoading: false })
      },
    )
    return () => abort.abort()
  }, [service, of, turn])
  const again = useCallback(() => setTurn((before) => before + 1), [])
  const shown = state.of === of ? state : undefined
  return { value: shown?.value, refusal: shown?.refusal, isLoading: shown?.isLoading ?? true, again }
}

export interface Writing<Result> {
  isSending: boolean
  refusal: Refusal | undefined
  /** Does nothing while an earlier call is under way. undefined: refused, see `refusal`. */
  send(write: (service: Service, key: string) => Promise<Result>, of: string): Promise<Result | undefined>
}

/**
 * Sends a write. `of` says what is written: sent again, for example after the network failed, it has the same idempotency
 * key, so that it is done only once.
 */
export function useWriting<Result>(): Writing<Result> {
  const { service } = useSurroundings()
  const [state, setState] = useState<{ isSending: boolean; refusal?: Refusal }>({ isSending: false })
  const last = useRef<{ of: string; key: string } | undefined>(undefined)
  const isSending = useRef(false)
  const send: Writing<Result>['send'] = useCallback(
    async (write, of) => {
      if (isSending.current) return undefined
      isSending.current = true
      if (last.current?.of !== of) last.current = { of, key: newIdempotencyKey() }
      setState({ isSending: true })
      try {
        const result = await write(service, last.current.key)
        last.current = undefined
        setState({ isSending: false })
        return result
      } catch (error) {
        const refusal = asRefusal(error)
        // it was refused for good: the same input is a new write from now on
        if (refusal.status === 200) last.current = undefined
        setState({ isSending: false, refusal })
        return undefined
      } finally {
        isSending.current = false
      }
    },
    [service],
  )
  return { isSending: state.isSending, refusal: state.refusal, send }
}

export function asRefusal(error: unknown): Refusal {
  if (error instanceof Refusal) return error
  return new Refusal(error instanceof Error ? error.message : String(error), 'console_error', 0)
}
