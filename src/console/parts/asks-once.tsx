import type { ComponentChildren } from 'preact'
import { useRef, useState } from 'preact/hooks'
import type { Writing } from './context.ts'
import { focused } from './focused.ts'
import { Refused } from './told.tsx'

interface AsksOnceProps {
  /** What the button says. */
  label: string
  /** What happens then. */
  asks: ComponentChildren
  writing: Pick<Writing<unknown>, 'isSending' | 'refusal'>
  /** false: it was refused, see `writing`. */
  onConfirm(): Promise<boolean>
}

/** A button for what can't be undone or is costly: it does it when pressed a second time. */
export function AsksOnce({ label, asks, writing: { isSending, refusal }, onConfirm }: AsksOnceProps) {
  const [isAsking, setIsAsking] = useState(false)
  const first = useRef<HTMLButtonElement>(null)
  const leave = () => {
    setIsAsking(false)
    // after it is there again
    requestAnimationFrame(() => first.current?.focus())
  }
  const confirm = async () => {
    if (await onConfirm()) leave()
  }
  const keyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return
    event.preventDefault()
    leave()
  }
  if (!isAsking) {
    return (
      <button type="button" class="other" ref={first} onClick={() => setIsAsking(true)}>
        {label}
      </button>
    )
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: its buttons have the focus
    <div class="asks" onKeyDown={keyDown}>
      <p>{asks}</p>
      <Refused refusal={refusal} />
      <div class="row">
        <button type="button" ref={focused} aria-disabled={isSending} onClick={confirm}>
          {isSending ? 'Sending …' : label}
        </button>
        <button type="button" class="other" onClick={leave}>
          Cancel
        </button>
      </div>
    </div>
  )
}
