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
  /** Which of the shown questions about the records of this one are closed by now. */
  closedWith(question: Question): Promise<string[]>
}

const pageLength = 50
/** Questions that are read again after one was answered. */
const mostReadAgain = 20

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
        // the first page is also read again with another key, which may not see the questions of the one before
        setState((before) => ({
          items: after === undefined ? items : withNew(before.items, items),
          cursor,
          isLoading: false,
        }))
      } catch (error) {
        if (!abort.signal.aborted) setState((before) => ({ ...before, isLoading: false, refusal: asRefusal(error) }))
      }
    },
    [service],
  )
  useEffect(() => {
    void read(undefined)
    return () => reading.current?.abort()
  }, [read])

  // all that were shown are answered
  const isNextNeeded = state.items.length === 0 && state.cursor !== undefined && !state.isLoading && !state.refusal
  useEffect(() => {
    if (isNextNeeded) void read(state.cursor)
  }, [isNextNeeded, read, state.cursor])

  const remove = useCallback((id: string) => {
    setState((before) => ({ ...before, items: before.items.filter(({ question_id }) => question_id !== id) }))
  }, [])
  const replace = useCallback((question: Question) => {
    const id = question.question_id
    setState((before) => ({ ...before, items: before.items.map((one) => (one.question_id === id ? question : one)) }))
  }, [])
  const latest = useRef(state.items)
  latest.current = state.items
  const closedWith = useCallback(
    async (answered: Question) => {
      const read = related(answered, latest.current).map(async ({ question_id }) => {
        const { items } = await service.questions({ question_id }, new AbortController().signal)
        return items.length === 0 ? [question_id] : []
      })
      // it is only more convenient: the answer to a closed question is refused
      return (await Promise.all(read).catch(() => [])).flat()
    },
    [service],
  )
  return { ...state, more: () => read(state.cursor), remove, replace, closedWith }
}

function withNew(items: readonly Question[], more: readonly Question[]): readonly Question[] {
  const known = new Set(items.map(({ question_id }) => question_id))
  return [...items, ...more.filter(({ question_id }) => !known.has(question_id))]
}

function related(answered: Question, items: readonly Question[]): readonly Question[] {
  const records = new Set(answered.records.map(({ id }) => id))
  return items
    .filter((one) => one.question_id !== answered.question_id && one.records.some(({ id }) => records.has(id)))
    .slice(0, mostReadAgain)
}
