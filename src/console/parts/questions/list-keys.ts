/** What the keys do on the list of questions. */
import { cardOf, type FocusSoon, moveFrom } from './focus.ts'
import { buttonFor, type KeyPressed, stepOf, useKeys } from './keys.tsx'

interface Keyed {
  opened: { has(id: string): boolean; toggle(id: string): void }
  selection: { toggle(id: string): void }
  selectAll(): void
  focusSoon: FocusSoon
  showKeys(): void
}

export function useListKeys(keyed: Keyed): void {
  useKeys((pressed) => {
    const { key, card } = pressed
    keyed.focusSoon(undefined)
    const step = stepOf(pressed)
    if (step) moveFrom(card, step)
    else if (key === '?') keyed.showKeys()
    else if (key === 'a') keyed.selectAll()
    else if (key === 'b') document.querySelector<HTMLElement>('.bulk button:not(:disabled)')?.focus()
    else return card !== undefined && pressedOn(card, pressed, keyed)
    return true
  })
}

function pressedOn(card: HTMLElement, { key, isOnCard }: KeyPressed, { opened, selection, focusSoon }: Keyed): boolean {
  const id = card.dataset.question as string
  const button = buttonFor(key)
  if (button) {
    if (!opened.has(id)) opened.toggle(id)
    focusSoon(() => cardOf(id)?.querySelector<HTMLElement>(button))
  } else if (key === 'x') selection.toggle(id)
  else if (key === 'o' || (key === 'Enter' && isOnCard) || (key === 'Escape' && opened.has(id))) {
    opened.toggle(id)
    card.focus()
  } else return false
  return true
}
