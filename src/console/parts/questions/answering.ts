/** Sends answers to questions, and says what became of each. */
import { useCallback, useRef, useState } from 'preact/hooks'
import { isOpen, newIdempotencyKey, Refusal } from '../../service/http.ts'
import type { Answer, Question, Receipt } from '../../service/service.ts'
import { asRefusal, useSurroundings } from '../context.ts'
import { type Action, answerOf, type Written } from './actions.ts'

/** A question that is no longer open. */
export interface Ended {
  question: Question
  told: string
  /** The record that was made or changed. */
  entity?: Receipt['entity']
  /** Somebody else answered it, or its records have changed. */
  wasClosed?: true
  /** Other questions that the answer has closed. */
  alsoClosed?: number
}

export interface Answering {
  isSending(questionId: string): boolean
  refusalOf(questionId: string): Refusal | undefined
  /** undefined: an earlier answer to it is under way. A Refusal: the question is still open. */
  answer(question: Question, action: Action, written?: Written): Promise<Ended | Refusal | undefined>
}

interface Listening {
  onEnd(ended: Ended): void
  /** The question asks about something newer by now. */
  onChange(question: Question): void
}

export function useAnswering(listening: Listening): Answering {
  const { service } = useSurroundings()
  const send = useSending()
  const under = useRef(new Set<string>())
  const [sending, setSending] = useState<ReadonlySet<string>>(under.current)
  const [refusals, setRefusals] = useState<ReadonlyMap<string, Refusal>>(new Map())
  const latest = useRef(listening)
  latest.current = listening

  const ending = useCallback(
    async (question: Question, action: Action, written: Written | undefined): Promise<Ended | Refusal> => {
      try {
        const receipt = await send(answerOf(question, action, written))
        return { question, told: toldOf(receipt, action, written), ...(receipt.entity && { entity: receipt.entity }) }
      } catch (error) {
        const refusal = asRefusal(error)
        if (!isAboutState(refusal)) return refusal
        const { question_id } = question
        const open = await service.questions({ question_id }, new AbortController().signal).catch(() => undefined)
        const [still] = open?.items ?? []
        if (still) latest.current.onChange(still)
        return open === undefined || still ? refusal : { question, told: refusal.message, wasClosed: true }
      }
    },
    [service, send],
  )

  const answer: Answering['answer'] = useCallback(
    async (question, action, written) => {
      const id = question.question_id
      if (under.current.has(id)) return undefined
      under.current.add(id)
      setSending(new Set(under.current))
      const result = await ending(question, action, written)
      under.current.delete(id)
      setSending(new Set(under.current))
      setRefusals((before) => {
        const after = new Map(before)
        if (result instanceof Refusal) after.set(id, result)
        else after.delete(id)
        return after
      })
      if (!(result instanceof Refusal)) latest.current.onEnd(result)
      return result
    },
    [ending],
  )
  return { isSending: (id) => sending.has(id), refusalOf: (id) => refusals.get(id), answer }
}

function toldOf(receipt: Receipt, { done }: Action, written: Written | undefined): string {
  if (isOpen(receipt))
    return 'Accepted, but not carried out yet. Load this page again later: a question that is still open was not answered.'
  return written?.visibility ? 'Recorded. The record that others see stays in force.' : done
}

/** The question may be closed, or about a newer proposal, or no longer visible. */
function isAboutState({ code }: Refusal): boolean {
  return code === 'revision_conflict' || code === 'question_closed' || code === 'not_found'
}

/** An answer that is sent again, for example after the network failed, has the same idempotency key. */
function useSending(): (answer: Answer) => Promise<Receipt> {
  const { service } = useSurroundings()
  const keys = useRef(new Map<string, string>())
  return useCallback(
    async (answer) => {
      const of = JSON.stringify(answer)
      const key = keys.current.get(of) ?? newIdempotencyKey()
      keys.current.set(of, key)
      try {
        const receipt = await service.answer(answer, key)
        keys.current.delete(of)
        return receipt
      } catch (error) {
        // it was refused for good: the same answer is a new write from now on
        if (error instanceof Refusal && error.status === 200) keys.current.delete(of)
        throw error
      }
    },
    [service],
  )
}
