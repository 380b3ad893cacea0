/** Reads the open questions, page by page. */
import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import type { Refusal } from '../../service/http.ts'
import type { Question } from '../../service/service.ts'
import { asRefusal, useSurroundings } from '../context.ts'

interface State {
  items: readonly Question[]
  /** undefined: nothing was read yet, or all was read. */
  cursor?: string | undefined
  isLoading: boolean
  refusal?: Refusal | undefined
}

export interface OpenQuestions extends State {
  /** Reads the next page, or the first one again if it was refused. */
  more(): void
  remove(questionId: string): void
  replace(question: Question): void
}

const pageLength = 50

/** `reasons` must stay the same. */
export function useOpenQuestions(reasons: readonly string[]): OpenQuestions {
  const { service } = useSurroundings()
  const [state, setState] = useState<State>({ items: [], isLoading: true })
  const reading = useRef<AbortController | undefined>(undefined)
  const filter = useRef(reasons)

  const read = useCallback(
    async (after: string | undefined) => {
      const abort = new AbortController()
      reading.current?.abort()
      reading.current = abort
      setState(({ items, cursor }) => ({ items, cursor, isLoading: true }))
      const reason = filter.current.length > 0 ? { reason: filter.current } : {}
      try {
        let cursor = after
        let items: readonly Question[]
        do {
          const input = { ...reason, limit: pageLength, ...(cursor !== undefined && { cursor }) }
          const page = await service.questions(input, abort.signal)
          items = page.items
          cursor = page.next_cursor
          // a page may be empty although more follow
        } while (items.length === 0 && cursor !== undefined)
        setState((before) => ({ items: withNew(before.items, items), cursor, isLoading: false }))
      } catch (error) {
        if (!abort.signal.aborted) setState((before) => ({ ...before, isLoading: false, refusal: asRefusal(error) }))
      }
    },
    [service],
  )
  useEffect(() => {
    read(undefined)
    return () => reading.current?.abort()
  }, [read])

  const remove = useCallback((id: string) => {
    setState((before) => ({ ...before, items: before.items.filter(({ question_id }) => question_id !== id) }))
  }, [])
  const replace = useCallback((question: Question) => {
    const id = question.question_id
    setState((before) => ({ ...before, items: before.items.map((one) => (one.question_id === id ? question : one)) }))
  }, [])
  return { ...state, more: () => read(state.cursor), remove, replace }
}

function withNew(items: readonly Question[], more: readonly Question[]): readonly Question[] {
  const known = new Set(items.map(({ question_id }) => question_id))
  return [...items, ...more.filter(({ question_id }) => !known.has(question_id))]
}
