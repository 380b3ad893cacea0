/** Moves the focus between questions. */
import { useCallback, useLayoutEffect, useRef } from 'preact/hooks'

export const idOfCard = (questionId: string) => `question-${questionId}`

export function cardOf(questionId: string): HTMLElement | null {
  return document.getElementById(idOfCard(questionId))
}

export function cardAfter(questionId: string): HTMLElement | undefined {
  const all = cards()
  return all[all.findIndex((card) => card.dataset.question === questionId) + 1]
}

/** From no question, the first or the last one gets the focus. */
export function moveFrom(card: HTMLElement | undefined, step: 1 | -1): void {
  const all = cards()
  const at = card === undefined ? (step === 1 ? -1 : all.length) : all.indexOf(card)
  all[Math.min(all.length - 1, Math.max(0, at + step))]?.focus()
}

function cards(): HTMLElement[] {
  return [...document.querySelectorAll<HTMLElement>('article[data-question]')]
}

type Find = () => HTMLElement | null | undefined
export type FocusSoon = (find: Find | undefined) => void

/** Focuses an element now or, if it is not there yet, once it is shown. undefined: stops waiting. */
export function useFocusSoon(): FocusSoon {
  const waiting = useRef<Find | undefined>(undefined)
  const focus = () => {
    const element = waiting.current?.()
    if (!element) return
    waiting.current = undefined
    element.focus()
  }
  // after each time that the page has changed
  useLayoutEffect(focus)
  return useCallback((find) => {
    waiting.current = find
    focus()
  }, [])
}
