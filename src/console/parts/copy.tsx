import { useEffect, useRef, useState } from 'preact/hooks'

/** Copies a text. Pages without TLS have no clipboard: then the text is shown and selected, for the reader to copy. */
export function Copy({ text, children }: { text: string; children: string }) {
  const [state, setState] = useState<'idle' | 'copied' | 'selected'>('idle')
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (state === 'selected') field.current?.select()
  }, [state])
  const copy = () => {
    setState('idle')
    // missing without TLS
    const clipboard = navigator.clipboard as Clipboard | undefined
    if (clipboard === undefined) setState('selected')
    else
      clipboard.writeText(text).then(
        () => setState('copied'),
        () => setState('selected'),
      )
  }
  return (
    <span class="copy">
      <button type="button" class="other" onClick={copy}>
        {children}
      </button>
      <span role="status">
        {state === 'copied' && ' Copied.'}
        {state === 'selected' && (
          <label>
            <span class="hint">The browser does not let this page copy. The text is selected: copy it.</span>
            <input ref={field} readOnly value={text} />
          </label>
        )}
      </span>
    </span>
  )
}
