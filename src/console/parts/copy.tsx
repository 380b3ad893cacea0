import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'

interface CopyProps {
  text: string
  /** What the button says. */
  children: ComponentChildren
}

/** A button that copies a text. Pages without TLS have no clipboard: there the text is shown, selected. */
export function Copy({ text, children }: CopyProps) {
  const [copied, setCopied] = useState<{ text: string; isDone: boolean } | undefined>(undefined)
  const copy = async () => {
    // it may be refused
    const isDone = await navigator.clipboard?.writeText(text).then(
      () => true,
      () => false,
    )
    setCopied({ text, isDone: isDone ?? false })
  }
  const told = copied?.text === text ? copied : undefined
  return (
    <>
      <button type="button" class="quiet" onClick={copy}>
        {children}
      </button>
      <span role="status" class="hint">
        {told && (told.isDone ? 'Copied.' : 'Copy the selected text with the keyboard.')}
      </span>
      {told && !told.isDone && <Selected text={text} />}
    </>
  )
}

function Selected({ text }: { text: string }) {
  const element = useRef<HTMLTextAreaElement>(null)
  useEffect(() => element.current?.select(), [])
  return (
    <textarea
      ref={element}
      readOnly
      aria-label="Text to copy"
      rows={Math.min(12, text.split('\n').length)}
      value={text}
    />
  )
}
