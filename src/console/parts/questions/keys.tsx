/** The keys of the pages of questions. One key never answers: it moves to the button that does, and Enter presses that. */
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'

export interface KeyPressed {
  key: string
  /** The question that has the focus. */
  card: HTMLElement | undefined
  /** The card itself has the focus, not a link or a button in it. */
  isOnCard: boolean
}

/** `press` returns whether the key did anything. It is not called while somebody types, or while a dialog is open. */
export function useKeys(press: (pressed: KeyPressed) => boolean): void {
  const latest = useRef(press)
  latest.current = press
  useLayoutEffect(() => {
    const keyDown = (event: KeyboardEvent) => {
      const target = event.target instanceof HTMLElement ? event.target : document.body
      // a key that is held down must not press the button that gets the focus
      if (event.repeat && event.key === 'Enter' && target.matches('button')) event.preventDefault()
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return
      if (target.closest('dialog') || target.matches(textFields)) return
      if (event.repeat && !movingKeys.has(event.key)) return
      const card = target.closest<HTMLElement>(cards) ?? undefined
      if (latest.current({ key: event.key, card, isOnCard: target === card })) event.preventDefault()
    }
    document.addEventListener('keydown', keyDown)
    return () => document.removeEventListener('keydown', keyDown)
  }, [])
}

const cards = 'article[data-question]'
const textFields = 'input:not([type="checkbox"]), textarea, select, [contenteditable]'
const movingKeys = new Set(['j', 'k', 'ArrowDown', 'ArrowUp'])

/** The key that moves to the next question (1) or the one before (-1). An arrow scrolls the page unless a question has the focus. */
export function stepOf({ key, card }: KeyPressed): 1 | -1 | undefined {
  if (key === 'j' || (key === 'ArrowDown' && card)) return 1
  return key === 'k' || (key === 'ArrowUp' && card) ? -1 : undefined
}

/** The button in an opened question that this key moves to. */
export function buttonFor(key: string): string | undefined {
  if (key === 'c') return '[data-action="confirm"]'
  if (key === 'd') return '[data-action="dismiss"]'
  return /^[1-9]$/.test(key) ? `[data-number="${key}"]` : undefined
}

const ofOne: readonly (readonly [string, string])[] = [
  ['1 to 4', 'move to an answer of the question; Enter then gives it'],
  ['c', 'move to the answer that confirms'],
  ['d', 'move to the answer that dismisses or rejects'],
  ['Ctrl+Enter', 'send the text of an answer'],
  ['Esc', 'leave the text, or close the question'],
  ['?', 'show these keys'],
]
const ofList: readonly (readonly [string, string])[] = [
  ['j, ↓', 'next question'],
  ['k, ↑', 'question before'],
  ['Enter, o', 'open or close the question'],
  ['x', 'select the question'],
  ['a', 'select all that are shown, or none'],
  ['b', 'move to the answers for all selected'],
]

export function KeysDialog({ isList, onClose }: { isList: boolean; onClose(): void }) {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => dialog.current?.showModal(), [])
  return (
    <dialog ref={dialog} aria-labelledby="keys-title" onClose={onClose}>
      <h2 id="keys-title">Keys</h2>
      <dl>
        {[...(isList ? ofList : []), ...ofOne].map(([keys, does]) => [
          <dt key={keys}>
            <kbd>{keys}</kbd>
          </dt>,
          <dd key={does}>{does}</dd>,
        ])}
      </dl>
      <button type="button" onClick={() => dialog.current?.close()}>
        Close
      </button>
    </dialog>
  )
}
